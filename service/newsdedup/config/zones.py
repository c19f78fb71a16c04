"""The kinds of settings that are time zones: one, or those of some sources."""

from functools import cache
from typing import Any

from newsdedup.config.kinds import SettingKind, WrongPart


def zone_name() -> SettingKind[str]:
    """Return the kind of setting for IANA names of time zones; "" is none."""
    expected = "the IANA name of a time zone, such as Asia/Colombo or Europe/Kyiv"

    def parse(raw: object) -> str:
        if not isinstance(raw, str) or not (raw == "" or raw in _zone_names()):
            raise ValueError(expected)
        return raw

    return SettingKind("zone", expected, parse, str)


def zones_of_sources() -> SettingKind[tuple[tuple[str, str], ...]]:
    """Return the kind of setting for pairs of a source and its IANA time zone; may be empty.

    They are given as a TOML table or a text, and keep their order. A source must not be empty,
    occur twice, or have a comma or spaces around it. The error is WrongPart for the first wrong
    pair.
    """
    expected = (
        'a table of sources and IANA names of time zones, such as "daily.example" = "Asia/Colombo",'
        " or SOURCE=ZONE with commas between them"
    )

    def parse(raw: object) -> tuple[tuple[str, str], ...]:
        pairs = _read_pairs(raw)
        if pairs is None or len({source for source, _ in pairs}) < len(pairs):
            raise ValueError(expected)
        for source, zone in pairs:
            is_source = source == source.strip() != "" and "," not in source
            if not (is_source and isinstance(zone, str) and zone in _zone_names()):
                raise WrongPart(expected, part=f"{source}={zone}" if source else str(zone))
        return tuple(pairs)

    def plain(value: tuple[tuple[str, str], ...]) -> str:
        return ",".join(f"{source}={zone}" for source, zone in value)

    return SettingKind("zones", expected, parse, plain)


@cache
def _zone_names() -> frozenset[str]:
    """Return the names of all time zones, without "localtime"; cached, since it is slow."""
    # Imported here because few settings name a zone, and help must not wait for it.
    from zoneinfo import available_timezones  # noqa: PLC0415

    return frozenset(available_timezones() - {"localtime"})


def _read_pairs(raw: object) -> list[tuple[str, Any]] | None:
    """Return the unchecked pairs of a table or of SOURCE=ZONE,...; None for any other value."""
    if isinstance(raw, dict):
        return list(raw.items())
    if not isinstance(raw, str):
        return None
    # A source may have a sign of equality.
    split = [one.rpartition("=") for one in raw.split(",")] if raw.strip() else []
    return [(source.strip(), zone.strip()) for source, _, zone in split]
