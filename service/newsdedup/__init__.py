"""Find duplicate news in a stream: every item marked original or duplicate, with the reason."""

__version__ = "0.1.0"
