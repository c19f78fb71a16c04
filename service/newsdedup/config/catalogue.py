from collections.abc import Mapping
from dataclasses import Field, dataclass, fields, replace
from typing import Any

from newsdedup.config.kinds import Kind
from newsdedup.config.sections import Settings

PREFIX = "NEWSDEDUP_"
MASK = "********"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its names, its kind, its default and what it does."""

    key: str
    kind: Kind[Any]
    default: Any
    about: str
    flag: str
    secret: bool

    @property
    def variable(self) -> str:
        """Return the name of its environment variable."""
        return PREFIX + self.key.upper().replace(".", "__")

    def shown(self, settings: Settings) -> int | str:
        """Return its value as it may be printed."""
        value = self.of(settings)
        return MASK if self.secret and value else self.kind.plain(value)

    def of(self, settings: Settings) -> Any:
        """Return its value."""
        section, name = self.key.split(".")
        return getattr(getattr(settings, section), name)


def catalogue() -> dict[str, Setting]:
    """Return every setting by its key, in the order in which they are documented."""
    defaults = Settings()
    found = [
        _setting(section.name, item)
        for section in fields(defaults)
        for item in fields(getattr(defaults, section.name))
    ]
    return {setting.key: setting for setting in found}


def built(values: Mapping[str, Any]) -> Settings:
    """Return settings with these values, by key, and defaults for the rest."""
    defaults = Settings()
    sections = {
        section.name: replace(getattr(defaults, section.name), **_within(section.name, values))
        for section in fields(defaults)
    }
    return Settings(**sections)


def _setting(section: str, item: Field[Any]) -> Setting:
    return Setting(key=f"{section}.{item.name}", default=item.default, **item.metadata)


def _within(section: str, values: Mapping[str, Any]) -> dict[str, Any]:
    start = f"{section}."
    return {key.removeprefix(start): values[key] for key in values if key.startswith(start)}
