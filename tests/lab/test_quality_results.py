import json

import pytest

from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.quality.quality_blocks import format_share, slice_table
from newsdedup_lab.quality.quality_page import QUALITY_PAGE
from newsdedup_lab.quality.results import QUALITY_REPORTS, load_results
from newsdedup_lab.report.docs_page import markdown_table, shorten_command

POINTS = [(0.2, 0.5, 1.0, 0.6667), (0.62, 0.75, 0.9, 0.8182), (0.9, 1.0, 0.4, 0.5714)]
CURVE = [
    dict(zip(("threshold", "precision", "recall", "f1"), point, strict=True)) for point in POINTS
]
SWEEP = {"threshold": 0.62, "plain": {"curve": CURVE}, "weighted": {"curve": CURVE}}


def reports(folder, *, scale: str = "probability"):
    """Write the reports of a study, as small as they can be."""
    for name, file in QUALITY_REPORTS.items():
        (folder / name).mkdir()
        sweeps = {"rule": {**SWEEP, "scale": scale}, "md5": {**SWEEP, "scale": "match"}}
        report = {
            "made": {"command": f"newsdedup lab {file} --items /data/here/web/items.jsonl --out x"},
            "measurements": {"pairs": 2} | ({"sweeps": sweeps} if file == "score" else {}),
        }
        (folder / name / f"{file}.json").write_text(json.dumps(report), "utf-8")


def test_a_command_keeps_two_parts_of_each_path_and_no_output():
    said = "newsdedup lab score --items /a/b/c.jsonl --pairs ../p.tsv --out '/a b/c' --rule terms"
    assert (
        shorten_command(said)
        == "newsdedup lab score --items b/c.jsonl --pairs ../p.tsv --rule terms"
    )


def test_thresholds_tell_what_is_found_from_there_on(tmp_path):
    reports(tmp_path)
    results = load_results(tmp_path)["dev"]["measurements"]
    rows = {row["threshold"]: row["plain"] for row in results["thresholds"]}
    # Between two thresholds that change something the next one tells.
    assert rows[0.05] == rows[0.2] == {"precision": 0.5, "recall": 1.0, "f1": 0.6667}
    assert rows[0.25] == rows[0.6] == rows[0.62] == {"precision": 0.75, "recall": 0.9, "f1": 0.8182}
    assert rows[0.9]["precision"] == 1.0
    assert 0.95 not in rows
    assert "sweeps" not in results


def test_a_scale_of_few_steps_is_kept_whole(tmp_path):
    reports(tmp_path, scale="shared terms")
    results = load_results(tmp_path)["terms"]["measurements"]["thresholds"]
    assert [row["threshold"] for row in results] == [0.2, 0.62, 0.9]


def test_commands_lose_the_folders_of_the_machine_that_measured(tmp_path):
    reports(tmp_path)
    made = load_results(tmp_path)["fit"]["made"]
    assert made["command"] == "newsdedup lab fit --items web/items.jsonl"


def test_a_missing_report_is_named(tmp_path):
    with pytest.raises(SourceUnusable, match=r"dev/score\.json"):
        load_results(tmp_path)


def test_only_what_stands_between_the_delimiters_is_replaced():
    page = "Words.\n\n<!-- lab quality: a -->\nold\n<!-- end of a -->\n\nMore words.\n"
    new = QUALITY_PAGE.fill(page, {"a": "| new |"})
    assert new == page.replace("old", "\n| new |\n")
    assert QUALITY_PAGE.generated_blocks(new) == {"a": "| new |"}
    assert QUALITY_PAGE.fill(new, {"a": "| new |"}) == new


@pytest.mark.parametrize("blocks", [{}, {"a": "", "b": ""}])
def test_a_page_with_other_blocks_is_refused(blocks):
    with pytest.raises(SourceUnusable, match="do not match"):
        QUALITY_PAGE.fill("<!-- lab quality: a -->\n<!-- end of a -->", blocks)


def test_shares_are_written_as_on_the_page():
    assert [format_share(one) for one in (0.9071, 1.0, 0.0, None)] == [".907", "1", ".000", "-"]


def test_a_table_is_one_of_markdown():
    assert markdown_table(("a", "b"), [("1", "2")]) == "| a | b |\n|---|---|\n| 1 | 2 |"


def test_slices_are_reported_with_intervals_and_candidates():
    plain = {"precision": 0.5, "recall": 0.25, "f1": 0.3333}
    nothing = dict.fromkeys(plain)
    bounds = {"precision": (0.25, 0.75), "recall": (0.1, 0.5), "f1": (0.2, 0.6)}
    some = {
        "pairs": 9, "found": 2, "plain": plain, "weighted": plain,
        "intervals": {"plain": bounds, "weighted": bounds}, "candidates": {"plain": 0.75},
    }  # fmt: skip
    none = {
        "pairs": 1, "found": 0, "plain": nothing, "weighted": nothing,
        "intervals": {"plain": nothing, "weighted": {}}, "candidates": {"plain": None},
    }  # fmt: skip
    table_lines = slice_table(
        {"hours=0-1": some, "hours=unknown": none}, weighted=True
    ).splitlines()
    assert table_lines[0].split(" | ")[3:] == [
        "precision",
        "recall",
        "F",
        "F weighted",
        "candidates |",
    ]
    f1 = ".333 [.20, .60]"
    assert table_lines[2:] == [
        f"| hours apart: 0-1 | 9 | 2 | .500 [.25, .75] | .250 [.10, .50] | {f1} | {f1} | .750 |",
        "| hours apart: unknown | 1 | 0 | - | - | - | - | - |",
    ]
    shorter = slice_table({"hours=0-1": some}, weighted=False).splitlines()
    assert shorter[2].endswith("| .333 [.20, .60] | .750 |")
