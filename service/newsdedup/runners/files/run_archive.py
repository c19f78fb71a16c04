"""The archive alongside a run: it follows what the run has committed to its output.

An output file is read again up to its committed length, after each commit and when a run begins: a
crash between the two commits leaves nothing out, an archive that is added later catches up, and it
can be made anew from the file. What goes to a pipe or to an address cannot be read again: its
events are applied before the state is committed, and come again after a crash, with the same ids.
"""

from collections.abc import Sequence
from pathlib import Path

from newsdedup.archive.following import follow_file
from newsdedup.archive.writer import ArchiveWriter


class RunArchive:
    """An archive that a run keeps up to date."""

    def __init__(self, writer: ArchiveWriter, output: Path | None) -> None:
        self._writer = writer
        self._output = output

    def take(self, events: Sequence[bytes]) -> None:
        """Apply the events of a batch that went to a pipe or an address; raise StateUnusable."""
        if self._output is None and events:
            self._writer.apply(events)

    def follow(self, length: int) -> None:
        """Apply what the output file holds up to its committed length; raise StateUnusable."""
        if self._output is not None:
            for _ in follow_file(self._writer, str(self._output), until=length):
                pass

    def close(self) -> None:
        """Close the archive."""
        self._writer.close()
