from importlib.resources import files
from typing import Annotated

import typer

from newsdedup.cli.registry import command
from newsdedup.config import nearest_name

_Name = Annotated[str | None, typer.Argument(metavar="NAME", show_default=False)]
_SUFFIX = ".json"


@command(
    "newsdedup schema",
    "newsdedup schema item.judged > item.judged.json",
    "newsdedup schema asyncapi > asyncapi.json",
)
def print_schema(name: _Name = None) -> None:
    """Print the JSON Schemas of input and events, or the AsyncAPI document of the topics.

    Without a name, print the names of all.
    """
    folder = files("newsdedup") / "schemas"
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))
    known = {file.removesuffix(_SUFFIX): folder / file for file in found}
    if name is None:
        print("\n".join(known))
        return
    if name not in known:
        near = nearest_name(name, known)
        advice = f"did you mean {near}?" if near else f"there are: {', '.join(known)}"
        raise typer.BadParameter(f"no schema is called {name}; {advice}")
    print(known[name].read_text(encoding="utf-8").rstrip("\n"))
