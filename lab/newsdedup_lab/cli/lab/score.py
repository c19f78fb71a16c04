import json as encoder
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import Config, Json, Quiet, RuleOption, Window, option, parse_input_path
from newsdedup.cli.output import print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps
from newsdedup_lab.cli.score_table import score_table
from newsdedup_lab.cli.studies import (
    TruthFile,
    command_line,
    made_now,
    print_report_files,
    refuse_two_truths,
)

if TYPE_CHECKING:
    from newsdedup import NewsItem
    from newsdedup.core.document import Analyzer
    from newsdedup.core.words.background import Background
    from newsdedup.engine.analyzer import Analyzed
    from newsdedup.engine.arrivals import BatchAnalysis
    from newsdedup_lab.collections.pairs import LabelledPair, PairFile
    from newsdedup_lab.score.replay import Replay
    from newsdedup_lab.score.sweep import Sweep

_ScoredItems = Annotated[
    list[str],
    option(
        "--items", "ITEMS", "Files or folders of items; may be repeated.", parser=parse_input_path
    ),
]
_Pairs = Annotated[
    Path | None,
    option(
        "--pairs",
        "FILE",
        "Labelled pairs, a TSV or JSON lines: id1, id2 (ID or SOURCE/ID), and dup (1, 0 or ?) or "
        "label (R, W: duplicates); perhaps weight, set, lang.",
    ),
]
_Swept = Annotated[
    Path | None,
    option(
        "--out",
        "DIR",
        "Sweep the threshold, and write curves and slices: a page, its measurements as JSON.",
    ),
]
_Methods = Annotated[
    list[str] | None,
    option(
        "--method",
        "NAME",
        "A method whose threshold is swept alongside that of the rule; may be repeated; `all` "
        "for all. Needs --out.",
    ),
]
_Errors = Annotated[
    Path | None,
    option(
        "--errors",
        "FILE",
        "Write the pairs judged otherwise than people did, with both texts, as JSON lines.",
    ),
]


@command(
    "newsdedup lab score --items news.jsonl --pairs labelled.tsv",
    "newsdedup lab score --items a.jsonl --items b.jsonl --pairs labelled.tsv --json",
    "newsdedup lab score --items news.jsonl --pairs labelled.tsv --method minhash --out reports/",
    "newsdedup lab score --items made.jsonl --truth made.jsonl.truth.tsv",
)
def score_rule(
    context: typer.Context,
    items: _ScoredItems,
    *,
    pairs: _Pairs = None,
    truth: TruthFile = None,
    rule: RuleOption = None,
    window: Window = None,
    errors: _Errors = None,
    out: _Swept = None,
    method: _Methods = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score a rule on pairs that people labelled.

    The items are replayed in the order of their times, each judged by what came before. A pair
    is found when its later item is judged a duplicate and both end in one story; so what the
    index does not retrieve is missed. `decision` judges the pairs directly; `candidates` is the
    share of the duplicates that a look-up finds, `relations` the verdicts on each class of the
    guide. With --truth, the pairs are the items of a generated stream, each with the item that it
    was made from. Undated items come right after the item above them. Intervals are 95 % of 1,000
    bootstrap samples. With --out, the page also shows precision and recall of the direct
    comparison at every threshold.
    """
    labels = _only_truth(pairs, truth)
    if method and out is None:
        raise typer.BadParameter("--method needs --out: it is shown on the page")
    if out is not None:
        require_libraries("matplotlib", "rapidfuzz")
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.bootstrap.rules import (
        batch_analysis,
        document_analyzer,
        item_analyzer,
        load_background,
        make_rule,
        stream_recorder,
    )
    from newsdedup.bootstrap.runs import line_decoder
    from newsdedup_lab.collections.corpora import component_versions
    from newsdedup_lab.collections.items import load_collection
    from newsdedup_lab.collections.pairs import index_names
    from newsdedup_lab.report.study_stages import prepare_report_folder, write_report
    from newsdedup_lab.score.disagreements import explain_errors
    from newsdedup_lab.score.replay import replay_collection
    from newsdedup_lab.score.score_measurements import score_measurements
    from newsdedup_lab.score.score_report import score_report

    _try_errors_file(errors, [*expand_inputs(items), labels])
    settings = load_settings(config, {"rule.window": window, "rule.name": rule})
    judging = make_rule(settings)
    table = load_background(settings)
    analyzer = document_analyzer(settings, table)
    folder = None if out is None else prepare_report_folder(out)
    methods = _chosen_methods(method or [])
    labelled = _read_labels(labels, planted=truth is not None)
    collection = load_collection(
        items, line_decoder(settings).content, line_limit=settings.limits.line_bytes
    )
    index_names(item.key for item in collection.items).require_any(labelled.pairs, labels)
    watch = Steps(quiet=quiet)
    items_analyzer = item_analyzer(settings, table, analyzer)
    with closing(batch_analysis(settings, items_analyzer, texts=True)) as analysis:
        analyzed = _analyze_items(collection.items, analysis, watch)
    replay = replay_collection(
        analyzed, judging, stream_recorder(judging, keeps=False), watch=watch
    )
    measurements = score_measurements(
        labelled, replay, lines_left_out=collection.left_out, watch=watch
    )
    _write_errors(errors, explain_errors(labelled.pairs, replay))
    if folder is not None:
        known = [pair for pair in labelled.pairs if replay.contains(pair)]
        terms = settings.rule.terms
        with watch.step("sweeping thresholds"):
            sweeps = _sweep(known, replay, methods, terms=terms, analyzer=analyzer, table=table)
        made = made_now(
            command_line(context), component_versions(settings, table, analyzer, judging)
        )
        page = score_report(measurements, known, replay, sweeps)
        print_report_files(*write_report(page, made, folder), json=json)
    elif json:
        print_json(measurements)
    else:
        stdout_console().print(score_table(measurements))


def _sweep(
    pairs: Sequence["LabelledPair"],
    replay: "Replay",
    methods: tuple[str, ...],
    *,
    terms: int,
    analyzer: "Analyzer",
    table: "Background",
) -> "list[Sweep]":
    """Return the scores at every threshold, first of the rule, then of each method."""
    from newsdedup_lab.score.sweep import method_sweeps, rule_sweep

    swept = [rule_sweep(pairs, replay, terms=terms)]
    return swept + method_sweeps(pairs, replay, methods, table, analyzer.vocabulary)


def _only_truth(pairs: Path | None, truth: Path | None) -> Path:
    """Return the file of labels; raise BadParameter if there is none, or if there are two."""
    refuse_two_truths(pairs, truth)
    labels = truth if pairs is None else pairs
    if labels is None:
        raise typer.BadParameter(
            "name --pairs or --truth: there is nothing to hold the rule against"
        )
    return labels


def _read_labels(labels: Path, *, planted: bool) -> "PairFile":
    """Read labelled pairs, or, if planted, make pairs from the truth of a generated stream."""
    from newsdedup_lab.collections.pairs import PairFile, read_pair_file

    if not planted:
        return read_pair_file(labels)
    from newsdedup_lab.collections.truths import planted_pairs

    return PairFile(tuple(planted_pairs(labels)), {})


def _chosen_methods(names: Sequence[str]) -> tuple[str, ...]:
    """Return the methods that were named, each once; raise BadParameter for an unknown name."""
    from newsdedup.core.fingerprints.catalogue import METHODS

    if "all" in names:
        return tuple(METHODS)
    for name in names:
        if name not in METHODS:
            raise typer.BadParameter(
                f"--method {name}: no such method; one of {', '.join(METHODS)}"
            )
    return tuple(dict.fromkeys(names))


def _analyze_items(
    items: Sequence["NewsItem"], analysis: "BatchAnalysis", watch: Steps
) -> list["Analyzed"]:
    """Analyze items and show progress; return the results in their order."""
    analyzed = []
    with watch.step("analyzing", len(items)) as advance:
        for one in analysis.analyze_stream(items):
            analyzed.append(one)
            advance(1)
    return analyzed


def _try_errors_file(path: Path | None, inputs: Sequence[str | Path]) -> None:
    """Raise SinkUnusable, before the work, if --errors names an input or what cannot be written."""
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes

    if path is not None:
        refuse_clashes([("--errors", path)], inputs)
        check_writable(path)


def _write_errors(path: Path | None, errors: Iterable[dict[str, object]]) -> None:
    """Write wrongly judged pairs as JSON lines, if there is a file for them."""
    from newsdedup.adapters.files.outputs import sink_errors

    if path is not None:
        with sink_errors(path), path.open("w", encoding="utf-8") as file:
            file.writelines(encoder.dumps(one, ensure_ascii=False) + "\n" for one in errors)
