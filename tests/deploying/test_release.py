"""A release as scripts/release makes it: it builds twice and compares, and tries the wheel."""

import hashlib
import json
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from newsdedup import __version__

# It builds and installs everything, which takes a minute on an idle machine.
pytestmark = [pytest.mark.usefixtures("process"), pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """Return the folder of a release of the files as they are."""
    folder = tmp_path_factory.mktemp("release") / "dist"
    done = subprocess.run(
        [ROOT / "scripts" / "release", "--try", folder], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_a_release_has_wheel_sdist_bill_and_licences_under_one_version_with_their_hashes(dist):
    listed = dict(
        reversed(line.split("  ")) for line in (dist / "SHA256SUMS").read_text().splitlines()
    )
    assert set(listed) == {
        f"newsdedup-{__version__}-py3-none-any.whl",
        f"newsdedup-{__version__}.tar.gz",
        f"newsdedup_lab-{__version__}-py3-none-any.whl",
        f"newsdedup-{__version__}.cdx.json",
        f"newsdedup-{__version__}.licences.md",
    }
    for name, sha256 in listed.items():
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == sha256


def test_the_wheel_holds_all_files_of_the_package_and_the_sdist_all_that_builds_it(dist):
    package = ROOT / "service" / "newsdedup"
    data = {
        f"newsdedup/{path.relative_to(package)}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(next(dist.glob("newsdedup-*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert data <= names
    assert {name.partition("/")[0] for name in names} == {
        "newsdedup",
        f"newsdedup-{__version__}.dist-info",
    }
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "LICENSE", "NOTICE", "requirements/runtime.txt"} <= inside


def test_the_bill_of_materials_names_the_release_and_what_it_installs(dist):
    bill = json.loads((dist / f"newsdedup-{__version__}.cdx.json").read_text("utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == (
        "CycloneDX",
        __version__,
    )
    purls = {component["purl"].partition("@")[0] for component in bill["components"]}
    assert {"pkg:pypi/pymorphy3", "pkg:pypi/faust-streaming", "pkg:pypi/jinja2"} <= purls
    assert "file:" not in json.dumps(bill["metadata"])


def test_a_bill_with_a_licence_that_does_not_go_with_ours_is_refused(tmp_path):
    bill = tmp_path / "bill.json"
    gpl = {"name": "one", "version": "1", "licenses": [{"license": {"id": "GPL-3.0-only"}}]}
    mit = {"name": "two", "version": "1", "licenses": [{"expression": "MIT"}]}
    bill.write_text(json.dumps({"components": [gpl, mit, {"name": "three"}]}))
    done = subprocess.run(
        [ROOT / "scripts" / "licences", bill], capture_output=True, check=False, text=True
    )
    assert done.returncode == 1
    assert done.stderr == "look up these licences: one: GPL-3.0-only; three: no licence\n"


def test_a_tag_of_another_version_is_refused():
    done = subprocess.run(
        [ROOT / "scripts" / "release", "v99.0"], capture_output=True, check=False, text=True
    )
    assert done.returncode == 1
    assert done.stderr == f"scripts/release: the version is {__version__}, and not 99.0\n"
