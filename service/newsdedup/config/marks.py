"""What a field of a section knows of its setting."""

from typing import Any

from newsdedup.config.kinds import Kind


def mark(kind: Kind[Any], about: str, *, flag: str = "", secret: bool = False) -> dict[str, Any]:
    """Return what a field knows of its setting; the value of a secret is never shown."""
    return {"kind": kind, "about": about, "flag": flag, "secret": secret}
