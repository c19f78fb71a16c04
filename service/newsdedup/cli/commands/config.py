"""Show the settings."""

from itertools import groupby
from json import dumps
from typing import Annotated

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, RuleOption, State, Window, switch
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command
from newsdedup.config import Configuration, settings_by_key

_Origin = Annotated[bool, switch("--origin", "Say where each value came from.")]


@command(
    "newsdedup config show",
    "newsdedup config show --origin --window 24h",
    "newsdedup config show > shown.toml",
    name="show",
)
def show_settings(
    *,
    origin: _Origin = False,
    state: State = None,
    window: Window = None,
    rule: RuleOption = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Print all settings as a run would use them.

    The output is a settings file; a secret that is set becomes a comment. Flags override
    environment variables, these override the settings file, and that overrides the defaults.
    """
    configuration = load_configuration(
        config, {"run.state": state, "rule.window": window, "rule.name": rule}
    )
    if not json:
        print("\n".join(_toml_lines(configuration, origin=origin)))
        return
    values: dict[str, dict[str, object]] = {}
    for key, setting in settings_by_key().items():
        section, name = key.split(".")
        shown: object = setting.shown(configuration.settings)
        if origin:
            shown = {"value": shown, "origin": configuration.origins[key]}
        values.setdefault(section, {})[name] = shown
    print_json(values)


def _toml_lines(configuration: Configuration, *, origin: bool) -> list[str]:
    """Return the lines of a settings file; with `origin` each ends in a comment with its origin.

    A secret that is set becomes a comment without its value.
    """
    lines: list[str] = []
    known = settings_by_key().values()
    for section, settings in groupby(known, key=lambda setting: setting.key.partition(".")[0]):
        lines += ["", f"[{section}]"]
        for setting in settings:
            name = setting.key.partition(".")[2]
            # JSON writes numbers and strings as TOML does, but for one control character.
            value = dumps(setting.shown(configuration.settings), ensure_ascii=False)
            line = f"{name} = {value}".replace("\x7f", "\\u007f")
            # The output may be read as a settings file: the mask must not become the password.
            if setting.secret and setting.value_in(configuration.settings):
                line = f"# {name} is set, not shown"
            lines.append(f"{line:<32}# {configuration.origins[setting.key]}" if origin else line)
    return lines[1:]
