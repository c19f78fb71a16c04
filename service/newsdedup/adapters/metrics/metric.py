"""What a metric is: its name, kind, unit and labels; and the list in which a catalogue has them."""

from typing import Literal, NamedTuple

MetricKind = Literal["counter", "gauge", "histogram"]
BucketBounds = tuple[float, ...]


class Metric(NamedTuple):
    """One metric."""

    name: str
    kind: MetricKind
    unit: str
    cause: str
    """What it counts or measures; also the help text of a scrape."""
    labels: tuple[str, ...] = ()
    bounds: BucketBounds = ()
    """Upper bounds of a histogram's buckets."""
    start: tuple[str, ...] = ()
    """Values of a lone label that begin at 0: the rate of their first burst needs the zero."""


class MetricList:
    """The metrics of one kind of process in their order; `labels` are names with spaces between."""

    def __init__(self, prefix: str = "newsdedup_") -> None:
        self._prefix = prefix
        self._metrics: list[Metric] = []

    def all(self) -> tuple[Metric, ...]:
        """Return the metrics in the order in which they were added."""
        return tuple(self._metrics)

    def counter(
        self, name: str, unit: str, cause: str, labels: str = "", *, start: tuple[str, ...] = ()
    ) -> Metric:
        """Add a counter, whose name ends with _total."""
        names = tuple(labels.split())
        return self._add(Metric(f"{name}_total", "counter", unit, cause, names, start=start))

    def gauge(self, name: str, unit: str, cause: str, labels: str = "") -> Metric:
        """Add a gauge."""
        return self._add(Metric(name, "gauge", unit, cause, tuple(labels.split())))

    def histogram(
        self, name: str, unit: str, cause: str, labels: str = "", *, bounds: BucketBounds
    ) -> Metric:
        """Add a histogram."""
        return self._add(Metric(name, "histogram", unit, cause, tuple(labels.split()), bounds))

    def _add(self, metric: Metric) -> Metric:
        """Add a metric with the list's prefix before its name; return it with that name."""
        self._metrics.append(metric._replace(name=self._prefix + metric.name))
        return self._metrics[-1]
