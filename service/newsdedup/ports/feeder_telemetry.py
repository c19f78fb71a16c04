"""What a feeder reports to anyone who watches it."""


class FeederTelemetry:
    """Receives what happens in a feeder, and discards it; a subclass keeps what it needs.

    No call raises or waits.
    """

    def visited(self, outcome: str, seconds: float, items: int) -> None:
        """Count a visit by outcome, as "failed", its seconds, and the items that the output got."""

    def received(self, size: int) -> None:
        """Count the bytes of a body as it was sent, compressed or not."""

    def output_failed(self) -> None:
        """Count an attempt that the output did not acknowledge; the feeder waits from now on."""

    def output_answers(self) -> None:
        """Note that the output acknowledged what it did not before, or no longer waits."""

    def output_reached(self, *, answers: bool) -> None:
        """Note whether the server of the output answered a probe."""

    def pushed(self, result: str) -> None:
        """Count a push of a hub: "accepted", "bad_signature", "too_large" or "unknown"."""

    def running(self) -> None:
        """Note that feeds are visited from now on."""

    def stopping(self) -> None:
        """Note that no other visit begins."""
