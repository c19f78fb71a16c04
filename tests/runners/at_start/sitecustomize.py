"""Plants the bug that the environment names, as a process starts."""

import os

from runners.planted_bugs import VARIABLE, plant

plant(os.environ[VARIABLE])
