"""The workflows of GitHub: valid, with few rights, and nothing in them but the scripts of here."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SAFE_DIRECTORY = 'git config --global --add safe.directory "$GITHUB_WORKSPACE"'


def read(path):
    # "on" is a key here, and no truth value.
    return yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - texts only


def steps(path):
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize(
    "schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"]
)
def test_workflows_are_what_github_takes(schema):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *WORKFLOWS]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_read_only_and_runs_only_our_scripts(path):
    assert read(path)["permissions"] == {"contents": "read"}
    for step in steps(path):
        if "run" in step and step["run"] != SAFE_DIRECTORY:
            assert os.access(ROOT / step["run"].split()[0], os.X_OK), step


def test_every_python_that_the_package_names_is_checked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = [one.rpartition(" ")[2] for one in project["classifiers"] if ":: 3." in one]
    checks = read(ROOT / ".github" / "workflows" / "checks.yml")["jobs"]["checks"]
    assert checks["strategy"]["matrix"]["python"] == stated
