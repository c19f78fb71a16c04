"""`python -m newsdedup` and the console script."""

from newsdedup.cli.app import app
from newsdedup.engine.collector import raise_thresholds


def main() -> None:
    """Run the command line."""
    # Before the engine and its tables load: a tenth of a short run was collections of live objects.
    raise_thresholds()
    app()


if __name__ == "__main__":
    main()
