"""The health check of the image: exit code 0 if HEALTH_URL answers with 200, else 1."""

import os
import sys
import urllib.request

# A proxy must not be used for an address of this container.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    with opener.open(os.environ["HEALTH_URL"], timeout=4):
        pass
except (OSError, ValueError) as error:
    sys.exit(f"{os.environ['HEALTH_URL']}: {error}")
