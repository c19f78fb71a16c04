from typing import Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import argument, option, parse_input_path
from newsdedup.cli.output import print_json, stdout_console
from newsdedup.cli.registry import command

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

    Shows what both have and what only one has, what the rule concludes, and what would have to
    change for another verdict. In a state, the items are compared by the terms and the rule by
    which they were judged.
    """
    from newsdedup.cli.shown.explained import find_pair, print_explanation
    from newsdedup.engine.comparison import explain_comparison, explain_in_words, explanation_json

    settings = load_settings(config, {"run.state": state, "rule.window": window, "rule.name": rule})
    if state is not None and items is not None:
        raise typer.BadParameter("name a --state or --items, not both")
    own_rule = window is not None or rule is not None
    comparison = find_pair(
        a, b, settings, items=items, in_state=state is not None, own_rule=own_rule
    )
    if json:
        print_json(explanation_json(comparison, explain_comparison(comparison)))
    else:
        print_explanation(comparison, explain_in_words(comparison), stdout_console())
