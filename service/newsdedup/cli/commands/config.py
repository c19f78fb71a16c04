from itertools import groupby
from json import dumps
from typing import Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, Rule, State, Window
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json
from newsdedup.config import Configuration, Setting, Settings, settings_by_key

EXAMPLES = examples(
    "newsdedup config show",
    "newsdedup config show --origin --window 24h",
    "newsdedup config show > shown.toml",
)
Origin = Annotated[bool, typer.Option("--origin", help="Say where each value came from.")]


def show(
    *,
    origin: Origin = False,
    state: State = None,
    window: Window = None,
    rule: Rule = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Print all settings as they would hold for a run.

    The output is a settings file; a secret that is set is a comment in it. Flags override
    environment variables, those the settings file, and that the defaults.
    """
    found = load_configuration(config, state=state, window=window, rule=rule)
    if json:
        print_json(_values(found, origin=origin))
    else:
        print("\n".join(_toml(found, origin=origin)))


def _values(found: Configuration, *, origin: bool) -> dict[str, dict[str, object]]:
    values: dict[str, dict[str, object]] = {}
    for key, setting in settings_by_key().items():
        section, name = key.split(".")
        shown: object = setting.shown(found.settings)
        if origin:
            shown = {"value": shown, "origin": found.origins[key]}
        values.setdefault(section, {})[name] = shown
    return values


def _toml(found: Configuration, *, origin: bool) -> list[str]:
    lines: list[str] = []
    for section, settings in groupby(settings_by_key().values(), key=_section):
        lines += ["", f"[{section}]"]
        for setting in settings:
            line = _line(setting.key.removeprefix(f"{section}."), setting, found.settings)
            lines.append(f"{line:<32}# {found.origins[setting.key]}" if origin else line)
    return lines[1:]


def _line(name: str, setting: Setting, settings: Settings) -> str:
    # Whoever saves the output and reads it again must not get the mask for a password.
    if setting.secret and setting.value_in(settings):
        return f"# {name} is set, not shown"
    # JSON writes numbers and strings as TOML does, but for one control character.
    value = dumps(setting.shown(settings), ensure_ascii=False)
    return f"{name} = {value}".replace("\x7f", "\\u007f")


def _section(setting: Setting) -> str:
    return setting.key.partition(".")[0]
