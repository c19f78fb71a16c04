"""The values of the metrics of a catalogue, in a registry of their own.

prometheus-client reads them at each scrape. A histogram takes the numbers of a whole batch at once:
its own `observe` for each number takes six times as long (2026-11-21, 2.0 against 0.3
microseconds). All calls must come from one thread, that of the event loop.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family

MetricKind = Literal["counter", "gauge", "histogram"]
BucketBounds = tuple[float, ...]
Labels = tuple[str, ...]
"""Names of labels, or values of them."""
_LABEL_CHARS: Final = 64
"""Most characters of a label's value: some come from the stream."""


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
    """The metrics of one kind of process in their order.

    A name is written with its labels, as in `late_items{topic,reason}`; the unit of a metric is the
    last word of its name, unless another is given.
    """

    def __init__(self, prefix: str = "newsdedup_") -> None:
        self._prefix = prefix
        self.metrics: list[Metric] = []

    def counter(self, name: str, cause: str, unit: str = "", *, start: Labels = ()) -> Metric:
        """Add the counter NAME_total and return it; `start` are label values that begin at 0."""
        return self._add("counter", name, cause, unit, start=start)

    def gauge(self, name: str, cause: str, unit: str = "") -> Metric:
        """Add a gauge, `cause` being its help text; return it under its full name."""
        return self._add("gauge", name, cause, unit)

    def histogram(self, name: str, cause: str, unit: str = "", *, bounds: BucketBounds) -> Metric:
        """Add a histogram with the upper `bounds` of its buckets; return it under its full name."""
        return self._add("histogram", name, cause, unit, bounds=bounds)

    def _add(self, kind: MetricKind, name: str, cause: str, unit: str, **rest: Any) -> Metric:
        """Add a metric with the list's prefix before its name; return it with that name.

        `rest` are further fields of the metric.
        """
        bare, _, labels = name.removesuffix("}").partition("{")
        names = tuple(filter(None, labels.split(",")))
        full = self._prefix + bare + ("_total" if kind == "counter" else "")
        unit = unit or bare.rpartition("_")[2]
        self.metrics.append(Metric(full, kind, unit, cause, names, **rest))
        return self.metrics[-1]


class _Histogram:
    """The counts of the buckets of one series, and the sum of its numbers."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.total = 0.0
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)

    def add(self, numbers: Iterable[float]) -> None:
        """Add numbers to the counts and the sum."""
        for number in numbers:
            self._counts[bisect_left(self._bounds, number)] += 1
            self.total += number

    def buckets(self) -> list[tuple[str, float]]:
        """Return each bound as text, with the count of numbers not above it; "+Inf" last."""
        names = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        return list(zip(names, accumulate(self._counts), strict=True))


class Metrics:
    """The values of the metrics of one process; `catalogue` are all that it has."""

    def __init__(self, catalogue: Sequence[Metric]) -> None:
        self._catalogue = catalogue
        self._numbers: dict[str, dict[Labels, float]] = {metric.name: {} for metric in catalogue}
        self._histograms: dict[str, dict[Labels, _Histogram]] = {
            metric.name: {} for metric in catalogue
        }
        # Series without labels are there from the start: a rate needs its zero.
        for metric in catalogue:
            for value in metric.start:
                self.count(metric, value, by=0)
            if metric.labels:
                continue
            if metric.kind == "histogram":
                self.observe(metric, ())
            else:
                self.count(metric, by=0)
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def count(self, metric: Metric, *labels: str, by: float = 1) -> None:
        """Add to a counter; `labels` are the values of its labels, in their order."""
        values, key = self._numbers[metric.name], _label_values(metric, labels)
        values[key] = values.get(key, 0) + by

    def set(self, metric: Metric, value: float, *labels: str) -> None:
        """Set a gauge; `labels` are the values of its labels, in their order."""
        self._numbers[metric.name][_label_values(metric, labels)] = value

    def replace(self, metric: Metric, values: Mapping[Labels, float]) -> None:
        """Set a gauge to these values by labels; drop it for all other labels."""
        self._numbers[metric.name] = {
            _label_values(metric, labels): value for labels, value in values.items()
        }

    def observe(self, metric: Metric, numbers: Iterable[float], *labels: str) -> None:
        """Add numbers to a histogram; none at all make it appear empty in scrapes."""
        histograms, key = self._histograms[metric.name], _label_values(metric, labels)
        if key not in histograms:
            histograms[key] = _Histogram(metric.bounds)
        histograms[key].add(numbers)

    def scrape(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Family]:
        """Yield all metrics with their values; the registry calls this at each scrape."""
        for metric in self._catalogue:
            if metric.kind == "histogram":
                histograms = HistogramMetricFamily(metric.name, metric.cause, labels=metric.labels)
                for labels, histogram in self._histograms[metric.name].items():
                    histograms.add_metric(labels, histogram.buckets(), histogram.total)
                yield histograms
            else:
                kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
                family = kind(metric.name, metric.cause, labels=metric.labels)
                for labels, value in self._numbers[metric.name].items():
                    family.add_metric(labels, value)
                yield family


def _label_values(metric: Metric, labels: Labels) -> Labels:
    """Return label values cut to 64 characters; raise ValueError if there are more or fewer."""
    if len(labels) != len(metric.labels):
        raise ValueError(f"{metric.name} has the labels {metric.labels}: not {labels}")
    return tuple(
        [value[:_LABEL_CHARS].encode("utf-8", "replace").decode("utf-8") for value in labels]
    )
