"""Where a run of the embedded engine writes, by its options and settings."""

from pathlib import Path
from typing import TYPE_CHECKING

from newsdedup.cli.options import STANDARD_STREAM

if TYPE_CHECKING:
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.config import Settings

_DEAD_IN_PIPES = "newsdedup.dlq.jsonl"


def run_paths(
    settings: "Settings", *, to: str, dlq: str | None, fresh: bool, archive: Path | None = None
) -> "RunPaths":
    """Return where a run writes: output, state and dead letters; the latter two next to its output.

    Settings may name the state, and `dlq` the dead letters. For a device, a named pipe, an address
    or standard output there is no such neighbour: then the state is in memory, the dead letters
    in the current folder.
    """
    from newsdedup.adapters.files.inputs import is_pipe
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.adapters.files.paths import scheme_of
    from newsdedup.adapters.sqlite.state_file import MEMORY
    from newsdedup.bootstrap.runs import RunPaths

    with sink_errors(Path(to)):
        is_file = to != STANDARD_STREAM and not scheme_of(to) and not is_pipe(Path(to))
    output = Path(to) if is_file else None
    state = Path(settings.run.state) if settings.run.state else MEMORY
    if output is not None and not settings.run.state:
        state = output.with_name(output.name + ".state")
    dead = Path(_DEAD_IN_PIPES) if output is None else output.with_name(output.name + ".dlq")
    return RunPaths(to, state, Path(dlq) if dlq else dead, fresh, archive)
