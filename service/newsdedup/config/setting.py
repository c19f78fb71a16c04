"""One setting: what its field in a section class knows of it, and its names."""

from dataclasses import dataclass, field
from typing import Any

from newsdedup.config.kinds import SettingKind

VARIABLE_PREFIX = "NEWSDEDUP_"
MASK = "********"


def setting(
    default: Any, kind: SettingKind[Any], about: str, *, flag: str = "", secret: bool = False
) -> Any:
    """Return the dataclass field that declares a setting, with a default as users write it: "72h".

    `about` is its help, `flag` its flag or "" for none; a secret is masked when printed.
    """
    metadata = {"kind": kind, "about": about, "flag": flag, "secret": secret}
    return field(default=kind.parse(default), metadata=metadata)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its names, its kind, its default and its help."""

    key: str
    kind: SettingKind[Any]
    default: Any
    about: str
    flag: str
    secret: bool

    @property
    def variable(self) -> str:
        """Return its environment variable: NEWSDEDUP_RULE__WINDOW for rule.window."""
        return VARIABLE_PREFIX + self.key.upper().replace(".", "__")

    def value_in(self, settings: object) -> Any:
        """Return the value of this setting in a Settings."""
        section, name = self.key.split(".")
        return getattr(getattr(settings, section), name)

    def shown(self, settings: object) -> int | str:
        """Return the value in a Settings as it is printed; a secret that is set is masked."""
        value = self.value_in(settings)
        return MASK if self.secret and value else self.kind.plain(value)
