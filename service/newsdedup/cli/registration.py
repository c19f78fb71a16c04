from typing import Any

from typer.core import TyperGroup

from newsdedup.cli.errors import ExitCode, exit_code_of_flushing, report_bug, report_errors
from newsdedup.cli.shown.output import prepare_streams


class Commands(TyperGroup):
    """All commands: whatever one of them raises is reported here, in one way."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; an error that nobody foresaw ends with its traceback."""
        prepare_streams()
        try:
            return super().main(*args, **kwargs)
        except SystemExit as end:
            raise SystemExit(exit_code_of_flushing(int(end.code or 0))) from None
        except Exception as error:
            report_bug(error)
            raise SystemExit(ExitCode.BUG) from error

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the first words, which may ask for help and print it."""
        with report_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run one command; foreseen errors end with a message and their exit code."""
        with report_errors():
            return super().invoke(ctx)


def examples(*lines: str) -> str:
    """Return the end of a help text that shows how a command is used."""
    # \b keeps the lines as they are, so that they can be copied from a narrow terminal.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
