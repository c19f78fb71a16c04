import platform

from newsdedup._version import __version__
from newsdedup.cli.options import Json
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command


@command("newsdedup version", "newsdedup version --json")
def print_version(*, json: Json = False) -> None:
    """Print the version.

    With --json also print the versions of Python and of the libraries, for bug reports.
    """
    if not json:
        print(f"newsdedup {__version__}")
        return
    from newsdedup.cli.checks.installation import DEPENDENCIES, installed_version

    print_json(
        {
            "newsdedup": __version__,
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "platform": platform.platform(),
            "dependencies": {name: installed_version(name) for name in DEPENDENCIES},
        }
    )
