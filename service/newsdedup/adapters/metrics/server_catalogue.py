"""Every metric of a server: name, unit, what it counts or measures, labels.

tests/docs/test_metrics_page.py compares docs/metrics.md and the scrape of a real server with it.
Paths are those of the routes: no label has what a client wrote.
"""

from typing import Final

from newsdedup.adapters.metrics.metric import MetricList

_list = MetricList("newsdedup_server_")

SERVER_BUILD_INFO: Final = _list.gauge(
    "build_info", "1", "Always 1; its label tells which release runs.", "version"
)
REQUESTS: Final = _list.counter(
    "requests",
    "requests",
    "Requests that were answered, or whose client went away, by path, method and status.",
    "path method status",
)
REQUEST_SECONDS: Final = _list.histogram(
    "request_seconds",
    "seconds",
    "Time from the headers of a request until its answer was made; streams are left out.",
    "path",
    bounds=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10),
)
OPEN_REQUESTS: Final = _list.gauge("open_requests", "requests", "Requests that are worked on now.")
STREAMS: Final = _list.gauge(
    "streams", "clients", "Clients that follow the changes of the archive."
)
QUERIES_WAITING: Final = _list.gauge(
    "queries_waiting", "queries", "Queries of the archive that wait for a thread."
)
SERVER_DISK_FREE: Final = _list.gauge(
    "disk_free_bytes",
    "bytes",
    "Free space of the volume on which a file of the server lies.",
    "holds",
)

SERVER_METRICS: Final = _list.all()
"""All of them, in the order in which docs/metrics.md shows them."""
