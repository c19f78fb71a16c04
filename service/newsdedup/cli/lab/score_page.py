"""The page of `newsdedup lab score --out`: what is swept, and where it is written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from newsdedup.cli.lab.lab_options import made
from newsdedup.cli.shown.steps import Steps

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup.core.document import Analyzer
    from newsdedup.core.words.background import Background
    from newsdedup.lab.collections.pairs import LabelledPair
    from newsdedup.lab.score.replay import Replay

ALL = "all"


@dataclass(frozen=True, slots=True)
class ScorePage:
    """A folder, the methods beside the rule, and what the items were read with."""

    folder: Path
    methods: tuple[str, ...]
    settings: "Settings"
    table: "Background"
    analyzer: "Analyzer"

    def write(
        self,
        told: dict[str, Any],
        pairs: Iterable["LabelledPair"],
        replay: "Replay",
        called: str,
        watch: Steps,
    ) -> tuple[Path, Path]:
        """Write the page and its figures; return their names."""
        from newsdedup.lab.collections.corpora import component_versions
        from newsdedup.lab.report.files import write_report
        from newsdedup.lab.score.report import score_report
        from newsdedup.lab.score.sweep import method_sweeps, rule_sweep

        known = [pair for pair in pairs if replay.contains(pair)]
        words = self.analyzer.vocabulary
        with watch.step("sweeping thresholds", 1 + len(self.methods)) as advance:
            sweeps = [rule_sweep(known, replay, terms=self.settings.rule.terms)]
            advance(1)
            sweeps += method_sweeps(known, replay, self.methods, self.table, words)
            advance(len(self.methods))
        made_of = component_versions(self.settings, self.table, self.analyzer, replay.rule)
        report = score_report(told, known, replay, sweeps)
        return write_report(report, made(called, made_of), self.folder)


def named(methods: Sequence[str]) -> tuple[str, ...]:
    """Return the methods that were named, each once; an unknown name is refused."""
    from newsdedup.core.fingerprints.names import METHODS

    if ALL in methods:
        return METHODS
    for name in methods:
        if name not in METHODS:
            raise typer.BadParameter(
                f"--method {name}: no such method; one of {', '.join(METHODS)}"
            )
    return tuple(dict.fromkeys(methods))


def checked(folder: Path) -> Path:
    """Return the folder, made if need be; refuse it, or a missing library, before the work."""
    from newsdedup.lab.extras import require_modules
    from newsdedup.lab.report.files import prepare_report_folder

    require_modules("matplotlib", "numpy")
    return prepare_report_folder(folder)
