"""The table of commands: each module of the folder `commands` is a command, each folder a group.

A module whose functions have names of their own is a group as well. Help, completion and the
pages follow from the table, and a command loads its own module and no other.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, NamedTuple, TypeVar

import typer
from typer.core import TyperGroup
from typer.main import get_command

from newsdedup.cli.errors import say

_Function = TypeVar("_Function", bound=Callable[..., object])


class _Registration(NamedTuple):
    name: str
    """Empty for the one command of a module."""
    function: Callable[..., object]
    epilog: str


_EXAMPLE_WIDTH = 76
"""Columns of an example: its help has 80, and indents it by 4."""
_COMMENT = "    # "
"""Between a command line and what an example says of it."""
_CONTINUED = " \\"
_WHOLE = 1_000
"""Characters of a summary in a list of commands; none is that long."""

_registrations: dict[str, list[_Registration]] = {}
"""By the module of the function."""


def command(*examples: str, name: str = "") -> Callable[[_Function], _Function]:
    """Register a function as the command of its module, or, with `name`, as one of its group.

    The examples are command lines, shown at the end of its help.
    """

    def register(function: _Function) -> _Function:
        registration = _Registration(name, function, format_examples(examples))
        _registrations.setdefault(function.__module__, []).append(registration)
        return function

    return register


def format_examples(lines: tuple[str, ...]) -> str:
    """Return command lines as the section "Examples" at the end of a help text."""
    # \b keeps the lines as they are, so that they can be copied from a narrow terminal.
    return "\b\nExamples:\n" + "\n".join(f"  {part}" for line in lines for part in _folded(line))


def _folded(line: str) -> list[str]:
    """Split a command line into lines of at most 76 columns, where its words allow, for a shell.

    It is continued before an option, a pipe or a redirection. The comment at the end of a line that
    is too long gets a line of its own above.
    """
    if len(line) <= _EXAMPLE_WIDTH:
        return [line]
    line, _, comment = line.partition(_COMMENT)
    folded = [f"# {comment}"] if comment else []
    groups: list[str] = []
    for word in line.split(" "):
        if (word[:1] in ("-", "|", ">") and len(word) > 1) or word in ("|", ">") or not groups:
            groups.append(word)
        else:
            groups[-1] += f" {word}"
    current = ""
    for group in groups:
        if current and len(current) + len(group) + len(" " + _CONTINUED) > _EXAMPLE_WIDTH:
            folded.append(current + _CONTINUED)
            current = f"    {group}"
        else:
            current += f" {group}" if current else group
    return [*folded, current]


class CommandGroup(TyperGroup):
    """A group of commands; without examples of its own it shows the first one of each command."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the form that click calls
        """Return the names of the commands without loading them."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, each with the whole first sentence of its help."""
        found = [(name, self._loaded(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, one.get_short_help_str(_WHOLE)) for name, one in found if one is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _loaded(self, ctx: Any, name: str) -> Any:
        """Return a command to list; None, with a message, for one that cannot be loaded."""
        try:
            return self.get_command(ctx, name)
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises, the others are listed
            say(f"the command {name} cannot be loaded: {type(error).__name__}: {error}")
            return None

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples of the group, or, without any, the first one of each command."""
        if not self.epilog:
            epilogs = [each.epilog or "" for each in self.commands.values()]
            first = [line.strip() for epilog in epilogs for line in epilog.splitlines()[2:3]]
            self.epilog = format_examples(tuple(first))
        super().format_epilog(ctx, formatter)


class CommandFolder(Mapping[str, Any]):
    """The commands of a folder by name; a command is loaded when it is looked up.

    With `plugins` also those of other distributions, which name their modules by entry points of
    that group. These are read when a name is not in the folder, or all names are asked for.
    """

    def __init__(self, package: str, *, plugins: str = "") -> None:
        modules = iter_modules(import_module(package).__path__)
        # A keyword of Python is no name for a module: the command `import` is in import_.py.
        names = [each.name for each in modules]
        self._modules = {name.rstrip("_"): f"{package}.{name}" for name in names}
        self._plugins = plugins
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return the click command or group of this name; raise KeyError if there is none."""
        if name not in self._loaded:
            module = self._modules.get(name) or self._all_modules()[name]
            self._loaded[name] = _load(name, module)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all_modules()))

    def __len__(self) -> int:
        return len(self._all_modules())

    def _all_modules(self) -> dict[str, str]:
        """Return the full module name of each command, including those of other distributions."""
        if self._plugins:
            for one in entry_points(group=self._plugins):
                self._modules.setdefault(one.name, one.value)
            self._plugins = ""
        return self._modules


def _load(name: str, module_name: str) -> Any:
    """Import a module; return its command, or the group of its commands, as `name`.

    A folder, or a module whose functions have names, is a group; its docstring is the help.
    """
    module = import_module(module_name)
    commands: Mapping[str, Any]
    if hasattr(module, "__path__"):
        commands = CommandFolder(module_name)
    else:
        registered = _registrations[module_name]
        if not registered[0].name:
            return _make_command(name, registered[0])
        commands = {each.name: _make_command(each.name, each) for each in registered}
    group = CommandGroup(
        name=name, help=module.__doc__, no_args_is_help=True, rich_markup_mode=None
    )
    group.commands = commands  # type: ignore[assignment]  # it is looked up, never changed
    return group


def _make_command(name: str, registration: _Registration) -> Any:
    """Return the click command that calls a registered function; its docstring is the help."""
    one = typer.Typer(add_completion=False, rich_markup_mode=None)
    one.command(name, epilog=registration.epilog)(registration.function)
    return get_command(one)
