"""What can be set, and how it is read: once, from what is passed in."""

from newsdedup.config.problems import nearest_name
from newsdedup.config.reading import (
    CONFIG_VARIABLE,
    DEBUG_VARIABLE,
    FAILPOINT_VARIABLE,
    Configuration,
    read_settings,
    settings_file,
)
from newsdedup.config.setting import Setting
from newsdedup.config.settings import (
    KafkaSettings,
    LimitSettings,
    RedisSettings,
    RuleSettings,
    RunSettings,
    Settings,
    SourceSettings,
    WordSettings,
    WorkerSettings,
    build_settings,
    settings_by_key,
)

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
    "SourceSettings",
    "WordSettings",
    "WorkerSettings",
    "build_settings",
    "nearest_name",
    "read_settings",
    "settings_by_key",
    "settings_file",
]
