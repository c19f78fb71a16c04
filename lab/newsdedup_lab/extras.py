"""Check for the libraries of the extra `lab`."""

from importlib import import_module

from newsdedup.ports.errors import SettingsInvalid


def require_modules(*modules: str) -> None:
    """Raise SettingsInvalid with advice how to install it if a module cannot be imported."""
    for name in modules:
        try:
            import_module(name)
        except ImportError as error:
            raise SettingsInvalid(f"{name} is not installed: scripts/install lab") from error
