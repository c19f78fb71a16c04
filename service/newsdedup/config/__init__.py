"""What can be set, and how it is read: once, from what is passed in."""

from newsdedup.config.problems import nearest_name
from newsdedup.config.reading import (
    DEBUG_VARIABLE,
    FAILPOINT_VARIABLE,
    Configuration,
    read_settings,
    settings_file,
)
from newsdedup.config.setting import Setting
from newsdedup.config.settings import (
    RuleSettings,
    RunSettings,
    Settings,
    WordSettings,
    build_settings,
    settings_by_key,
)

__all__ = [
    "DEBUG_VARIABLE",
    "FAILPOINT_VARIABLE",
    "Configuration",
    "RuleSettings",
    "RunSettings",
    "Setting",
    "Settings",
    "WordSettings",
    "build_settings",
    "nearest_name",
    "read_settings",
    "settings_by_key",
    "settings_file",
]
