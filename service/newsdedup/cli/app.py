"""The command line as a whole: its help, its version, and how what goes wrong is reported."""

import os
import sys
from typing import Annotated, Any

import typer

from newsdedup.cli.errors import ExitCode, exit_code_of_flushing, report_bug, report_errors
from newsdedup.cli.output import prepare_streams
from newsdedup.cli.registry import CommandFolder, CommandGroup, format_examples

PLUGINS = "newsdedup.commands"
"""The group of entry points by which another distribution adds commands."""
COMMANDS_OF_THE_LAB = ("bench", "lab")
_EXAMPLES = ("newsdedup demo", "newsdedup run items.jsonl --to events.jsonl", "newsdedup doctor")


class Commands(CommandGroup):
    """All commands; an error of any of them is reported here, in one way."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        if not self.commands:
            # The mapping is looked up, never changed.
            folder = CommandFolder("newsdedup.cli.commands", plugins=PLUGINS)
            self.commands = folder  # type: ignore[assignment]

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line and exit; a bug ends in its traceback and exit code 70."""
        prepare_streams()
        try:
            return super().main(*args, **kwargs)
        except SystemExit as end:
            raise SystemExit(exit_code_of_flushing(int(end.code or 0))) from None
        except Exception as error:
            report_bug(error)
            raise SystemExit(ExitCode.BUG) from error

    def make_context(self, info_name: Any, args: list[str], *more: Any, **kwargs: Any) -> Any:
        """Parse the options before the command, or print the help.

        Foreseen errors end with a message and their exit code; one is an argument that is not text.
        """
        with report_errors():
            # An argument whose bytes are not text is refused: nothing could store it.
            for argument in args:
                if any("\ud800" <= char <= "\udfff" for char in argument):
                    from newsdedup.ports.errors import SettingsInvalid

                    encoding = sys.getfilesystemencoding()
                    shown = os.fsencode(argument).decode(encoding, "backslashreplace")
                    raise SettingsInvalid(
                        f"the argument {shown} is not text in {encoding}, as file names and values "
                        "must be"
                    )
            return super().make_context(info_name, args, *more, **kwargs)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command of this call; for one of the lab raise SettingsInvalid without a lab."""
        if args[0] in COMMANDS_OF_THE_LAB and args[0] not in self.commands:
            from newsdedup.ports.errors import SettingsInvalid

            raise SettingsInvalid(
                f"`newsdedup {args[0]}` belongs to the lab, which is not installed: "
                "scripts/install lab"
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run one command; a foreseen error ends with a message and its exit code."""
        with report_errors():
            return super().invoke(ctx)


app = typer.Typer(
    name="newsdedup",
    cls=Commands,
    epilog=format_examples(_EXAMPLES),
    no_args_is_help=True,
    # Plain help: it starts twice as fast without rich, and can be searched and copied in pipes.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _print_version(wanted: bool) -> None:
    """Print the version and exit, if `--version` was used."""
    if wanted:
        from newsdedup._version import __version__

        print(f"newsdedup {__version__}")
        raise typer.Exit


_Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
]


@app.callback()
def newsdedup(*, _version: _Version = False) -> None:
    """Find duplicate news in a stream: every item marked original or duplicate, with the reason."""
