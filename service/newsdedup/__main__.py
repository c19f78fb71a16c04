"""`python -m newsdedup` and the console script."""

from newsdedup.cli.app import app


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
