from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

import typer

from newsdedup.cli.registration import examples
from newsdedup.config import nearest_name

EXAMPLES = examples(
    "newsdedup schema",
    "newsdedup schema item.judged > item.judged.json",
    "newsdedup schema asyncapi > asyncapi.json",
)
Name = Annotated[str | None, typer.Argument(metavar="NAME", show_default=False)]
SUFFIX = ".json"


def schema(name: Name = None) -> None:
    """Print the JSON Schemas of input and events, or the AsyncAPI document of the topics.

    Without a name, print the names of all.
    """
    known = schemas()
    if name is None:
        print("\n".join(known))
        return
    if name not in known:
        near = nearest_name(name, known)
        advice = f"did you mean {near}?" if near else f"there are: {', '.join(known)}"
        raise typer.BadParameter(f"no schema is called {name}; {advice}")
    print(known[name].read_text(encoding="utf-8").rstrip("\n"))


def schemas() -> dict[str, Traversable]:
    """Return the files of the committed schemas by their names."""
    folder = files("newsdedup") / "schemas"
    found = {entry.name: entry for entry in folder.iterdir() if entry.name.endswith(SUFFIX)}
    return {name.removesuffix(SUFFIX): found[name] for name in sorted(found)}
