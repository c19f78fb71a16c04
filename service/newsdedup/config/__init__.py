"""What can be set, and how it is read: once, from what is passed in."""

from newsdedup.config.catalogue import Setting, built, catalogue
from newsdedup.config.layers import (
    CONFIG_VARIABLE,
    DEBUG_VARIABLE,
    FAILPOINT_VARIABLE,
    settings_file,
)
from newsdedup.config.problems import nearest
from newsdedup.config.reading import Configuration, read
from newsdedup.config.sections import (
    LimitSettings,
    RuleSettings,
    RunSettings,
    Settings,
    WordSettings,
)

__all__ = [
    "CONFIG_VARIABLE",
    "DEBUG_VARIABLE",
    "FAILPOINT_VARIABLE",
    "Configuration",
    "LimitSettings",
    "RuleSettings",
    "RunSettings",
    "Setting",
    "Settings",
    "WordSettings",
    "built",
    "catalogue",
    "nearest",
    "read",
    "settings_file",
]
