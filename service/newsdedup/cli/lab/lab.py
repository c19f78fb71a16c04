import json as encoder
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.lab.lab_options import Planted, command, refuse_two_truths
from newsdedup.cli.lab.score_page import ScorePage, checked, named
from newsdedup.cli.lab.score_table import score_table
from newsdedup.cli.options import Config, Json, Quiet, Rule, Window, parse_input_place
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console, stdout_console
from newsdedup.cli.shown.steps import Steps

if TYPE_CHECKING:
    from newsdedup.core.model import NewsItem
    from newsdedup.engine.analysis import Analyze
    from newsdedup.engine.deduplicate import Analyzed

lab = typer.Typer(
    help="Measure methods on collections.", no_args_is_help=True, rich_markup_mode=None
)
EXAMPLES = examples(
    "newsdedup lab score --items news.jsonl --pairs labelled.tsv",
    "newsdedup lab score --items a.jsonl --items b.jsonl --pairs labelled.tsv --json",
    "newsdedup lab score --items news.jsonl --pairs labelled.tsv --method minhash --out reports/",
    "newsdedup lab score --items made.jsonl --truth made.jsonl.truth.tsv",
)

ScoredItems = Annotated[
    list[str],
    typer.Option(
        "--items",
        metavar="ITEMS",
        parser=parse_input_place,
        help="Files or folders of items; may be repeated.",
        show_default=False,
    ),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="TSV",
        help="Labelled pairs: columns id1, id2 (ID or SOURCE/ID), and dup (1, 0 or ?) or label (R, "
        "W: duplicates); perhaps weight, set, lang.",
        show_default=False,
    ),
]
Swept = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Sweep the threshold, and write curves and slices: a page, its figures as JSON.",
        show_default=False,
    ),
]
Beside = Annotated[
    list[str] | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="A method whose threshold is swept beside that of the rule; may be repeated; `all` "
        "for all. Needs --out.",
        show_default=False,
    ),
]
Errors = Annotated[
    Path | None,
    typer.Option(
        "--errors",
        metavar="FILE",
        help="Write the pairs judged otherwise than people did, with both texts, as JSON lines.",
        show_default=False,
    ),
]


@lab.command("score", epilog=EXAMPLES)
def score(
    items: ScoredItems,
    *,
    pairs: Pairs = None,
    truth: Planted = None,
    rule: Rule = None,
    window: Window = None,
    errors: Errors = None,
    out: Swept = None,
    method: Beside = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Hold a rule against pairs that people labelled.

    The items are replayed in the order of their times, each judged by what came before. A pair
    is found when its later item is judged a duplicate and both end in one story; so what the
    index does not retrieve is missed. `decision` judges the pairs directly; `candidates` is the
    share of the duplicates that a look-up finds, `relations` what each class of the guide was
    taken for. With --truth, the pairs are the items of a made-up stream and what each was made
    from. Undated items come right behind the item above them. Intervals are 95 % of 1,000
    bootstrap samples. With --out, the page also shows precision and recall of the direct
    comparison at every threshold.
    """
    refuse_two_truths(pairs, truth)
    told_by = truth if pairs is None else pairs
    if told_by is None:
        raise typer.BadParameter(
            "name --pairs or --truth: there is nothing to hold the rule against"
        )
    if method and out is None:
        raise typer.BadParameter("--method needs --out: it is shown on the page")
    from newsdedup import bootstrap
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.lab.collections.items import load_collection
    from newsdedup.lab.collections.pairs import PairFile, index_names, read_pair_file
    from newsdedup.lab.collections.truths import planted_pairs
    from newsdedup.lab.score.errors import explain_errors as differing
    from newsdedup.lab.score.figures import score_figures
    from newsdedup.lab.score.replay import replay_collection

    if errors is not None:
        refuse_clashes([("--errors", errors)], [*expand_inputs(items), told_by])
        check_writable(errors)
    options: list[object] = [*_repeated("--items", items), "--pairs", pairs, "--truth", truth]
    options += ["--out", out, "--rule", rule, "--window", window, "--config", config]
    called = command("score", [], *options, *_repeated("--method", method or []))
    settings = load_configuration(config, window=window, rule=rule).settings
    judging = bootstrap.rule(settings)
    table = bootstrap.background(settings)
    analyzer = bootstrap.analyzer(settings, table)
    page = None
    if out is not None:
        page = ScorePage(checked(out), named(method or []), settings, table, analyzer)
    labelled = (
        read_pair_file(told_by) if truth is None else PairFile(tuple(planted_pairs(told_by)), {})
    )
    found = load_collection(
        items, bootstrap.decode(settings), line_limit=settings.limits.line_bytes
    )
    index_names(item.key for item in found.items).require_any(labelled.pairs, told_by)
    watch = Steps(stderr_console(), quiet=quiet)
    analyzed = _analyzed(found.items, bootstrap.signing(settings, table, analyzer), watch)
    replay = replay_collection(analyzed, judging, bootstrap.school(judging), watch=watch)
    told = score_figures(labelled, replay, lines_left_out=found.left_out, watch=watch)
    if errors is not None:
        _write_errors(errors, differing(labelled.pairs, replay))
    if page is not None:
        places = page.write(told, labelled.pairs, replay, called, watch)
        _print_places(places, json=json)
    elif json:
        print_json(told)
    else:
        stdout_console().print(score_table(told))


def _analyzed(items: Sequence["NewsItem"], analyze: "Analyze", watch: Steps) -> list["Analyzed"]:
    found = []
    with watch.step("analyzing", len(items)) as advance:
        for item in items:
            found.append(analyze(item, b""))
            advance(1)
    return found


def _repeated(flag: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (flag, value)]


def _print_places(written: tuple[Path, Path], *, json: bool) -> None:
    page, figures = written
    if json:
        print_json({"page": str(page), "figures": str(figures)})
    else:
        print(page)


def _write_errors(path: Path, found: Iterable[dict[str, object]]) -> None:
    from newsdedup.adapters.files.outputs import sink_errors

    with sink_errors(path), path.open("w", encoding="utf-8") as file:
        for one in found:
            file.write(encoder.dumps(one, ensure_ascii=False) + "\n")
