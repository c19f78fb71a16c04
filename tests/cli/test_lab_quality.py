import shutil
from pathlib import Path

from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

DOCS = Path(__file__).parents[2] / "docs"


def test_a_folder_without_reports_changes_nothing(tmp_path):
    shutil.copy(DOCS / "quality.md", tmp_path)
    result = CliRunner().invoke(app, ["lab", "quality", str(tmp_path), "--docs", str(tmp_path)])
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "dev/score.json: no report of the lab" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["quality.md"]
