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
from newsdedup.config.servers import KafkaSettings, RedisSettings, WorkerSettings

__all__ = [
    "CONFIG_VARIABLE",
    "DEBUG_VARIABLE",
    "FAILPOINT_VARIABLE",
    "Configuration",
    "KafkaSettings",
    "LimitSettings",
    "RedisSettings",
    "RuleSettings",
    "RunSettings",
    "Setting",
    "Settings",
    "WordSettings",
    "WorkerSettings",
    "built",
    "catalogue",
    "nearest",
    "read",
    "settings_file",
]
