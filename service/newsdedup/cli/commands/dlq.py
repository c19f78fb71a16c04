import typer

from newsdedup.cli.commands import letters, replay
from newsdedup.cli.registration import examples

EXAMPLES = examples(
    "newsdedup dlq ls events.jsonl.dlq",
    "newsdedup dlq replay events.jsonl.dlq --to events.jsonl",
)

dlq = typer.Typer(
    help="Look at dead letters: records that could not become items. Feed them again.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
dlq.command("ls", epilog=letters.LS_EXAMPLES)(letters.ls)
dlq.command("show", epilog=letters.SHOW_EXAMPLES)(letters.show)
dlq.command("replay", epilog=replay.EXAMPLES)(replay.replay)
