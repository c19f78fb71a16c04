"""The version, where everything can import it: builds, the command line, and what names itself."""

__version__ = "0.1.0"
