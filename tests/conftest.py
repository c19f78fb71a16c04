import os

from hypothesis import HealthCheck, settings

pytest_plugins = ["servers.fixtures", "runners.scraped"]

# A slow machine fails no test, and the same examples are tried each time.
# HYPOTHESIS_PROFILE=explore tries others.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", UNTIMED, derandomize=True)
settings.register_profile("explore", UNTIMED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
