from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import argument, option, parse_input_path
from newsdedup.cli.output import print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.states import state_path

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup.engine.comparison import ItemComparison

_ITEM = "ID or SOURCE/ID, or a file: one item as JSON, or a .txt whose first line is the title."
_A = Annotated[str, argument("A", _ITEM)]
_B = Annotated[str, typer.Argument(metavar="B", help="The other, in the same form.")]
_Among = Annotated[
    str | None,
    option("--items", "ITEMS", "The file or folder that has both items.", parser=parse_input_path),
]


@command(
    "newsdedup explain 1024 tass.example/77 --state events.jsonl.state",
    "newsdedup explain one.json other.txt",
    "newsdedup explain 1024 1031 --items items.jsonl --json",
)
def explain_pair(
    a: _A,
    b: _B,
    *,
    state: options.State = None,
    items: _Among = None,
    window: options.Window = None,
    rule: options.RuleOption = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Explain why two items are duplicates, or why they are not.

    Shows what both have and what only one has, what the rule makes of it, and what would have to
    change for another verdict. In a state, the terms are those by which the items were judged,
    and so is the rule.
    """
    from newsdedup.cli.shown.explained import print_explanation
    from newsdedup.engine.comparison import explain_comparison, explanation_json

    settings = load_settings(config, {"run.state": state, "rule.window": window, "rule.name": rule})
    if state is not None and items is not None:
        raise typer.BadParameter("the two are in a --state or among --items, not in both")
    own_rule = window is not None or rule is not None
    comparison = _find_pair(
        a, b, settings, items=items, in_state=state is not None, own_rule=own_rule
    )
    why = explain_comparison(comparison)
    if json:
        print_json(explanation_json(comparison, why))
    else:
        print_explanation(comparison, why, stdout_console())


def _find_pair(
    a: str, b: str, settings: "Settings", *, items: str | None, in_state: bool, own_rule: bool
) -> "ItemComparison":
    """Return the two items: from the files `items` if named, else a file each, else the state.

    Raise BadParameter if a name is no file and there is no state, or for `own_rule` with a state.
    """
    from newsdedup.cli.shown import explained

    if items is not None:
        return explained.compare_among_items(a, b, items, settings)
    missing = [name for name in (a, b) if not Path(name).is_file()]
    if not missing and not in_state:
        return explained.compare_files(Path(a), Path(b), settings)
    if not settings.run.state:
        raise typer.BadParameter(
            f"there is no file {' and no file '.join(missing)}; if these are ids, name their "
            "--state or --items"
        )
    if own_rule:
        raise typer.BadParameter(
            "--window and --rule: in a state, items are explained by the rule that judged them; "
            "name --items or two files to try another"
        )
    return explained.compare_in_state(a, b, state_path(settings))
