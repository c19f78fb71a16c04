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
    """Return where a run writes: output, state and dead letters; the latter two beside its output.

    Settings may name the state, and `dlq` the dead letters. Beside a device, a named pipe or an
    address, as beside standard output, nothing lies: then the state is in memory, the dead letters
    in the current folder.
    """
    from newsdedup.adapters.files.inputs import is_pipe
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.adapters.files.paths import scheme_of
    from newsdedup.adapters.sqlite.state_file import MEMORY
    from newsdedup.bootstrap.runs import RunPaths

    with sink_errors(Path(to)):
        is_file = to != STANDARD_STREAM and not scheme_of(to) and not is_pipe(Path(to))
    beside = Path(to) if is_file else None
    state = Path(settings.run.state) if settings.run.state else MEMORY
    if beside is not None and not settings.run.state:
        state = beside.with_name(beside.name + ".state")
    dead = Path(_DEAD_IN_PIPES) if beside is None else beside.with_name(beside.name + ".dlq")
    return RunPaths(to, state, Path(dlq) if dlq else dead, fresh, archive)
