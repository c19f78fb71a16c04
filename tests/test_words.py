"""The words of names and prose: those that an engineer of the field would search for."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from test_repository import PAGES, ROOT, all_modules

pytestmark = pytest.mark.usefixtures("long")

VAGUE = {"told", "said", "found", "kept", "heard", "asked"}
"""Participles that say nothing of what a thing is: no name has one of them as a word."""


def own_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions, classes, fields and module-level values of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef | ast.Module):
            for one in node.body:
                targets = one.targets if isinstance(one, ast.Assign) else []
                targets = [one.target] if isinstance(one, ast.AnnAssign) else targets
                yield from (target.id for target in targets if isinstance(target, ast.Name))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[a-z0-9]+|[A-Z][a-z0-9]*", name)}


def test_no_name_is_a_vague_participle() -> None:
    names = [(path, name) for path, tree in all_modules() for name in own_names(tree)]
    names += [(path, Path(path).stem) for path, _ in all_modules()]
    assert [(path, name) for path, name in names if words_of(name) & VAGUE] == []


REPLACED = {
    "settlement": "decision",
    "lesson": "observation",
    "draft": "pending row",
    "board": "overlay",
    "act": "command",
    "place": "address, path, partition, slot or index",
    "figures": "stats, measurements or quantities",
}
"""Words of our own for things that have a name in the field, and that name."""


def identifiers(tree: ast.Module) -> Iterator[str]:
    """Yield every name that a module defines or uses."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name


def test_names_are_words_of_the_field() -> None:
    refused = {**{f"{word}s": other for word, other in REPLACED.items()}, **REPLACED}
    found = {
        (path, name, refused[min(words)])
        for path, tree in all_modules()
        for name in {*identifiers(tree), Path(path).stem}
        if (words := words_of(name) & refused.keys())
    }
    assert sorted(found) == []


def test_a_public_name_has_one_meaning() -> None:
    positions: dict[str, set[str]] = {}
    for path, tree in all_modules():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                positions.setdefault(node.name, set()).add(path)
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            for target in targets:
                if isinstance(target, ast.Name) and target.id != "LOG":
                    positions.setdefault(target.id, set()).add(path)
    public = {name: paths for name, paths in positions.items() if not name.startswith("_")}
    assert {name: paths for name, paths in public.items() if len(paths) > 1} == {}


UNAMBIGUOUS = re.compile(
    r"\b(?:beside|whoever|taught|told|wants|boards?|drafts?|lessons?|settle(?:s|d|ments?)?"
    r"|had better|of before|stream's own)\b",
    re.IGNORECASE,
)
"""Words for which plain English always has a better one; code, in backticks, may use them."""

CODE_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def page_prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a page, those of code blocks empty."""
    yield from enumerate(
        CODE_BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text).splitlines(), 1
    )


def module_prose(text: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of the comments and docstrings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(documentation))):
                yield from enumerate(documentation.splitlines(), node.lineno)


def test_prose_is_plain_english() -> None:
    lines = {str(page.relative_to(ROOT)): page_prose(page.read_text("utf-8")) for page in PAGES}
    for name, tree in all_modules():
        lines[name] = module_prose((ROOT / name).read_text("utf-8"), tree)
    found = [
        f"{name}:{number}: {word[0]}"
        for name, numbered in lines.items()
        for number, line in numbered
        for word in UNAMBIGUOUS.finditer(re.sub(r"`[^`]*`", "", line))
    ]
    assert found == []
