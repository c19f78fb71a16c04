"""How this program was called, so that a printed command can be copied and works there."""

import json
import os
import shutil
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from shlex import quote

_NAME = "newsdedup"
_QUOTED = f"`{_NAME} "
"""How messages begin a command line, whatever the program was called by."""


def program() -> str:
    """Return how to call this program again, for a shell in the current folder.

    It is `newsdedup` where PATH leads to this very program, else the path as it was typed, such as
    `.venv/bin/newsdedup`, or `PYTHON -m newsdedup`.
    """
    called = Path(sys.argv[0])
    if called.name == "__main__.py" and called.parent.name == _NAME:
        return f"{_python()} -m {_NAME}"
    found = shutil.which(_NAME)
    with suppress(OSError):
        if called.name != _NAME or (found is not None and called.samefile(found)):
            return _NAME
    return quote(sys.argv[0])


def as_called(text: str) -> str:
    """Return a message in which each command line `newsdedup ...` begins with `program()`."""
    return text.replace(_QUOTED, f"`{program()} ") if _QUOTED in text else text


def advise_extra(extra: str) -> str:
    """Return the command line that adds an extra to this installation.

    In a checkout that has its own environment it is `scripts/install EXTRA`; elsewhere pip, with
    the folder or wheel from which newsdedup was installed. Where that is not known, it names the
    libraries of the extra, since newsdedup may not be in any package index.
    """
    checkout = Path(__file__).parents[3]
    script = checkout / "scripts" / "install"
    if script.is_file() and Path(sys.prefix) == checkout / ".venv":
        near = Path.cwd().is_relative_to(checkout)
        return f"{quote(os.path.relpath(script) if near else str(script))} {extra}"
    pip = f"{_python()} -m pip install"
    if script.is_file():
        return f"{pip} {quote(f'{checkout}[{extra}]')}"
    if source := _installed_from():
        return f"{pip} {quote(f'{_NAME}[{extra}] @ {source}')}"
    suffixes = (f'extra == "{extra}"', f"extra == '{extra}'")
    required = [one.partition(";") for one in metadata.requires(_NAME) or ()]
    libraries = [name.strip() for name, _, marker in required if marker.strip().endswith(suffixes)]
    return f"{pip} {' '.join(map(quote, libraries))}"


def _python() -> str:
    """Return the running Python for a shell: the typed name if PATH leads to it, else its path."""
    typed = sys.orig_argv[0] if Path(sys.orig_argv[0]).name.startswith("python") else ""
    if typed and shutil.which(typed) == sys.executable:
        return quote(typed)
    return quote(typed if os.sep in typed else sys.executable)


def _installed_from() -> str:
    """Return the URL of the folder or wheel that was installed, "" if pip did not record it."""
    with suppress(metadata.PackageNotFoundError):
        if recorded := metadata.distribution(_NAME).read_text("direct_url.json"):
            return str(json.loads(recorded)["url"])
    return ""
