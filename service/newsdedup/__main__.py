"""`python -m newsdedup` and the console script."""

import os

from newsdedup.cli.app import app
from newsdedup.cli.environment import has_abandoned_thread
from newsdedup.engine.collector import raise_thresholds


def main() -> None:
    """Run the command line; exit at once if a thread is still running that may hang for ever."""
    # Before the engine and its tables load: a tenth of a short run was collections of live objects.
    raise_thresholds()
    try:
        app()
    except SystemExit as end:
        if has_abandoned_thread():
            os._exit(int(end.code or 0))
        raise


if __name__ == "__main__":
    main()
