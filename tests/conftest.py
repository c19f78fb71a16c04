import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["servers.fixtures", "runners.scraped"]

# A slow machine fails no test, and the same examples are tried each time.
# HYPOTHESIS_PROFILE=explore tries others.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", UNTIMED, derandomize=True)
settings.register_profile("explore", UNTIMED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# Who runs the tests in the background of a shell gets Ctrl-C ignored, and so would all they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def freed() -> Iterator[None]:
    """Free what runs in this process have set aside: each keeps its tables, in cycles."""
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
