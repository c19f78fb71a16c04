import subprocess
import sys

import pytest

from newsdedup.config.settings import FINGERPRINTS
from newsdedup.core.fingerprints.catalogue import METHODS, load_methods


def test_every_line_of_the_catalogue_makes_the_method_of_its_name():
    methods = load_methods()
    assert tuple(methods) == tuple(METHODS)
    assert all(method.name == name for name, method in methods.items())


def test_the_settings_know_every_method():
    assert sorted(METHODS) == list(FINGERPRINTS)


@pytest.mark.usefixtures("process")
def test_the_names_are_known_without_a_method_or_numpy():
    code = (
        "import sys, newsdedup.core.fingerprints.catalogue;"
        "print(*sorted(m for m in sys.modules if m.startswith(('numpy', 'newsdedup.core'))))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    package, folder = "newsdedup.core", "newsdedup.core.fingerprints"
    assert ran.stdout.decode().split() == [package, folder, f"{folder}.catalogue"]
