"""How the ranking of methods differs from the one printed in paper 000, in words and a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from newsdedup_lab.compare.error_examples import FALSE_BANDS, SHORT_WORDS
from newsdedup_lab.compare.method import WHOLE_METHOD
from newsdedup_lab.compare.paper import TABLE_2, method_title
from newsdedup_lab.report.report_content import Block, BulletList, Paragraph, ReportTable

_APART = 2
"""Ranks by which a method must differ to be described."""
_COMPLETE = 0.99

_Row = Mapping[str, Any]
_Measurements = Mapping[str, Any]


def rank_methods(rows: Sequence[_Row]) -> list[str]:
    """Return our methods that the paper ranks too, in our order."""
    return [row["method"] for row in rows if row["method"] in TABLE_2]


def order_blocks(measurements: _Measurements) -> tuple[Block, ...]:
    """Return a paragraph on the paper's claims, a table of both rankings, and why ranks differ.

    `measurements` is the JSON of the quality stage.
    """
    ours = rank_methods(measurements["texts"])
    theirs = [name for name in TABLE_2 if name in ours]
    rows = {row["method"]: row for row in measurements["texts"]}
    differing = [name for name in ours if abs(ours.index(name) - theirs.index(name)) >= _APART]
    return (
        Paragraph(" ".join(_claims(ours, rows))),
        ReportTable(
            "Ranks by F",
            ("method", "F here", "F printed", "rank here", "in the paper"),
            tuple(
                (
                    method_title(name),
                    rows[name]["f1"],
                    TABLE_2[name][2],
                    rank,
                    theirs.index(name) + 1,
                )
                for rank, name in enumerate(ours, 1)
            ),
            about="Only the methods that the paper has too.",
        ),
        BulletList(
            (
                *_general(measurements, rows),
                *(_why(name, measurements, rows, ours, theirs) for name in differing),
            )
        ),
    )


def _claims(ours: Sequence[str], rows: Mapping[str, _Row]) -> Iterator[str]:
    """Yield a sentence for each claim of the paper about its best methods: whether it is true here.

    `ours` are the methods by our F, best first; `rows` has the scores of each.
    """
    if "three_plus_five" in ours:
        rank = ours.index("three_plus_five") + 1
        text = "holds" if rank == 1 else f"does not hold: it is number {rank} of {len(ours)}"
        yield f"The paper has A12 above all others; here that {text}."
    plain = [name for name in ours if name != "three_plus_five"]
    if "long_sent" in plain:
        rank = plain.index("long_sent") + 1
        text = "holds" if rank == 1 else f"does not hold: it is number {rank} of {len(plain)}"
        yield f"The paper has A4 first among A0 to A10; here that {text}."
    if WHOLE_METHOD in rows:
        recall = rows[WHOLE_METHOD]["recall"]
        text = "holds" if recall >= _COMPLETE else "does not hold for recall"
        yield (
            "The paper says of A11 that recall and precision are practically 100 % at fair speed; "
            f"here its recall is {recall:.3f}, its precision 1 by definition: that {text}."
        )


def _general(measurements: _Measurements, rows: Mapping[str, _Row]) -> Iterator[str]:
    """Yield remarks that concern all methods: how similar true pairs are, A0, and misses of A11."""
    if measurements["same"]:
        bands = measurements["same_by_band"]
        near = sum(bands[3:]) / measurements["same"]
        yield (
            f"{near:.0%} of the true pairs have a similarity of 0.95 and more, {bands[-1]:,} are "
            f"equal, {bands[0] / measurements['same']:.0%} lie below 0.85. Pairs that hardly "
            "differ are found by nearly every method: the more of them, the closer the methods lie "
            "together."
        )
    if "md5" in rows:
        yield (
            f"A0 finds {rows['md5']['recall']:.0%} of the true pairs here, "
            f"{TABLE_2['md5'][1]:.0%} in the paper: so many are exact copies after preprocessing."
        )
    if WHOLE_METHOD in rows:
        yield f"A11, over all shingles. {_missed(measurements['errors'][WHOLE_METHOD]['missed'])}"


def _why(
    name: str,
    measurements: _Measurements,
    rows: Mapping[str, _Row],
    ours: Sequence[str],
    theirs: Sequence[str],
) -> str:
    """Return sentences on why a method's rank differs from that in the paper, with examples.

    `ours` and `theirs` are the methods by rank. If it found no true pair, nothing else is said.
    """
    row, (precision, recall, _) = rows[name], TABLE_2[name]
    errors = measurements["errors"][name]
    text = [
        f"{method_title(name)}, rank {ours.index(name) + 1} here, {theirs.index(name) + 1} there."
    ]
    if not row["recall"]:
        return f"{text[0]} It found none of the true pairs."
    if row["recall"] > recall:
        text.append(
            f"Its recall is higher here, {row['recall']:.3f} against {recall:.2f}, for it finds "
            f"{_mean(row['recall_by_similarity'][3:]):.0%} of what is nearly equal, and of what is "
            f"similar by less than 0.9 {_mean(row['recall_by_similarity'][:2]):.0%}."
        )
    else:
        text.append(f"Its recall is lower here, {row['recall']:.3f} against {recall:.2f}.")
    text.append(_missed(errors["missed"]))
    if row["precision"] < precision:
        text.append(f"Its precision is {row['precision']:.3f} against {precision:.2f}.")
        text.append(_false(errors["false"]))
    return " ".join([*text, _example(errors)])


def _mean(shares: Sequence[float | None]) -> float:
    """Return the mean of the shares that are not None, 0 without any."""
    known = [share for share in shares if share is not None]
    return sum(known) / max(1, len(known))


def _false(false: _Measurements) -> str:
    """Return a sentence on the false pairs of a method: similarity, length, short texts."""
    looked = false["looked_at"]
    if not looked:
        return "Nothing that it found is another text."
    close = false["by_similarity"][-1] / looked
    return (
        f"Of {false['pairs']:,} false pairs {close:.0%} just fail the 80 % (similarity "
        f"from {FALSE_BANDS[-1]:g}), {false['of_other_length'] / looked:.0%} differ in length by "
        f"more than a half, {false['short'] / looked:.0%} have a text of fewer than "
        f"{SHORT_WORDS} words."
    )


def _missed(missed: _Measurements) -> str:
    """Return sentences on the missed pairs of a method: how many are short, and the reasons."""
    looked = missed["looked_at"]
    if not looked:
        return "It misses none of the true pairs."
    measurements = (
        f"Of {missed['pairs']:,} missed pairs {missed['short'] / looked:.0%} have a text of fewer "
        f"than {SHORT_WORDS} words"
    )
    if not missed["reasons"]:
        return f"{measurements}."
    reasons = "; ".join(f"{why} ({count / looked:.0%})" for why, count in missed["reasons"].items())
    return f"{measurements}. Why: {reasons}."


def _example(errors: _Measurements) -> str:
    """Return the first example of a missed and of a false pair, in words."""
    return " ".join(
        f"{text}, for example: {one['left'][1]} and {one['right'][1]} (similarity "
        f"{one['similarity']:.3f})."
        for kind, text in (("missed", "Missed"), ("false", "False"))
        for one in errors[kind]["examples"][:1]
    )
