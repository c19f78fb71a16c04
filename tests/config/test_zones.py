"""Time zones of publishers in the settings, and what they change."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.bootstrap.runs import state_fingerprint
from newsdedup.config import Settings, build_settings, read_settings
from newsdedup.core.model import Entry
from newsdedup.engine.analyzer import entry_of
from newsdedup.ports.errors import SettingsInvalid

TEXT = "The minister of transport in Colombo resigned today after the collapse of the new bridge."


def toml(folder: Path, text: str) -> Path:
    path = folder / "newsdedup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(SettingsInvalid) as refused:
        read_settings({}, {}, toml(folder, text))
    return str(refused.value)


def test_zones_are_read_from_a_table_or_a_text(tmp_path: Path) -> None:
    table = '[sources.zones]\n"daily.example" = "Asia/Colombo"\nvisti = "Europe/Kyiv"\n'
    text = "daily.example=Asia/Colombo, visti = Europe/Kyiv"
    read = read_settings({}, {}, toml(tmp_path, table)).settings
    assert read.sources.zones == (("daily.example", "Asia/Colombo"), ("visti", "Europe/Kyiv"))
    assert read == read_settings({}, {"NEWSDEDUP_SOURCES__ZONES": text}, None).settings


def test_a_source_may_have_a_sign_of_equality() -> None:
    read = read_settings({"sources.zones": "rss?id=7=Asia/Colombo"}, {}, None).settings
    assert read.sources.zones == (("rss?id=7", "Asia/Colombo"),)


@pytest.mark.parametrize("name", ["Asia/Kolombo", "Asia", "localtime", "+05:30", "../etc/passwd"])
def test_an_unknown_zone_is_refused_with_its_name_and_an_example(tmp_path: Path, name: str) -> None:
    message = refusal(tmp_path, f'[sources]\nzone = "{name}"\n')
    assert f"sources.zone = '{name}'" in message
    assert "such as Asia/Colombo or Europe/Kyiv" in message


def test_of_a_long_table_the_wrong_pair_is_named(tmp_path: Path) -> None:
    sound = "".join(f'site{number} = "Europe/Kyiv"\n' for number in range(50))
    message = refusal(tmp_path, f'[sources.zones]\n{sound}daily = "Asia/Kolombo"\n')
    assert "sources.zones = 'daily=Asia/Kolombo'" in message
    assert '"daily.example" = "Asia/Colombo"' in message


@pytest.mark.parametrize("zones", ["a=UTC,", "=UTC", "a", "a=UTC,a=Europe/Kyiv"])
def test_pairs_of_another_form_are_refused(tmp_path: Path, zones: str) -> None:
    assert "SOURCE=ZONE" in refusal(tmp_path, f'[sources]\nzones = "{zones}"\n')


@pytest.mark.parametrize("line", ['daily.example = "UTC"', '"a,b" = "UTC"', "a = 1"])
def test_tables_of_another_form_are_refused(tmp_path: Path, line: str) -> None:
    assert "a table of sources" in refusal(tmp_path, f"[sources.zones]\n{line}\n")


def entry(settings: Settings, source: str = "daily.example") -> Entry:
    at = datetime(2024, 11, 22, 20, 0, tzinfo=UTC)
    item = NewsItem(ItemKey(source, "1"), "", TEXT, published_at=at)
    return entry_of(item_analyzer(settings).analyze(item), at=0)


def test_a_zone_changes_the_day_of_an_entry_and_nothing_else() -> None:
    here, there = entry(Settings()), entry(build_settings({"sources.zone": "Asia/Colombo"}))
    assert here.sketches != there.sketches
    assert (here.stamp, here.version, here.terms) == (there.stamp, there.version, there.terms)
    assert here == entry(build_settings({"sources.zone": "UTC"}))


def test_the_zone_of_a_source_is_for_that_source_alone() -> None:
    single = build_settings({"sources.zones": (("daily.example", "Asia/Colombo"),)})
    general = build_settings({"sources.zone": "Asia/Colombo"})
    assert entry(single).sketches == entry(general).sketches
    assert entry(single, "visti.example").sketches == entry(Settings(), "visti.example").sketches


def test_a_state_remembers_the_zones_by_which_it_was_made() -> None:
    def made_by(**values: object) -> str:
        settings = build_settings({key.replace("__", "."): it for key, it in values.items()})
        documents = item_analyzer(settings).documents
        return state_fingerprint(settings, documents, make_rule(settings))

    pairs = (("b", "Europe/Kyiv"), ("a", "UTC"))
    assert "zone" not in made_by()
    assert made_by(sources__zone="Asia/Colombo").endswith(", zones Asia/Colombo")
    assert made_by(sources__zones=pairs).endswith(", zones UTC; a=UTC; b=Europe/Kyiv")
    assert made_by(sources__zones=pairs[::-1]) == made_by(sources__zones=pairs)
    assert "zone" not in made_by(rule__name="terms", sources__zone="Asia/Colombo")
