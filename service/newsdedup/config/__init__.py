"""What can be set, and how it is read: once, from what is passed in."""

from newsdedup.config.kinds import Setting as Setting
from newsdedup.config.reading import DEBUG_VARIABLE as DEBUG_VARIABLE
from newsdedup.config.reading import Configuration as Configuration
from newsdedup.config.reading import nearest_name as nearest_name
from newsdedup.config.reading import read_settings as read_settings
from newsdedup.config.settings import RuleSettings as RuleSettings
from newsdedup.config.settings import RunSettings as RunSettings
from newsdedup.config.settings import Settings as Settings
from newsdedup.config.settings import WordSettings as WordSettings
from newsdedup.config.settings import build_settings as build_settings
from newsdedup.config.settings import settings_by_key as settings_by_key
