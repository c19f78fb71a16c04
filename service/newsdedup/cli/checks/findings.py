from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]
WORST_LAST: tuple[Status, ...] = ("ok", "warn", "fail")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, and what to do about it."""

    check: str
    status: Status
    message: str
    advice: str = ""


def worst(findings: list[Finding]) -> Status:
    """Return the status of all together."""
    return max((finding.status for finding in findings), key=WORST_LAST.index, default="ok")
