"""What only the extra `lab` brings."""

from importlib import import_module

from newsdedup.ports.errors import SettingsInvalid


def require_modules(*modules: str) -> None:
    """Refuse to begin without the libraries that a command cannot do without."""
    for name in modules:
        try:
            import_module(name)
        except ImportError as error:
            raise SettingsInvalid(f"{name} is not installed: scripts/install lab") from error
