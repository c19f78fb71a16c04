"""Secrets that a setting holds, or a file that another setting names."""

from pathlib import Path

from newsdedup.ports.errors import SettingsInvalid


def read_secret(key: str, value: str, file: str) -> str:
    """Return the secret of a setting, or the first line of the file that `KEY_file` names.

    Raise SettingsInvalid if both are set or the file cannot be read.
    """
    if value and file:
        raise SettingsInvalid(f"{key} and {key}_file: only one may be set")
    if not file:
        return value
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"{key}_file {file}: cannot be read: {error}") from error
    return lines[0] if lines else ""
