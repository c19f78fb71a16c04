"""What a feeder, a worker and a server show of one news on its way."""

import re

import pytest

from runners.observed_chain import PRIVATE, observed_chain

__all__ = ["observed_chain"]

VISITED = r"level=INFO logger=newsdedup.feed visited feed=\S+"
JUDGED = (
    r"level=DEBUG logger=newsdedup.worker event kind=item.judged source='herald.example' id='h1'"
)
LINES = {
    "feeder": (
        VISITED + r"/herald\?\.\.\. outcome=content entries=1 problem=-$",
        VISITED + r"/missing\?\.\.\. outcome=failed entries=0 problem=.+$",
        r"level=DEBUG logger=newsdedup.intake written feed=\S+ source='herald.example' id='h1'$",
    ),
    "worker": (
        r"level=INFO logger=newsdedup.worker batch records=\d+ events=1 original=1 duplicate=0 ",
        r" analyze_ms=\S+ judge_ms=\S+ publish_ms=\S+$",
        JUDGED + r" verdict=original event_id=\S+ repeated=False$",
        r"level=DEBUG logger=newsdedup.worker rejected code=not_json bytes=\d+$",
    ),
    "server": (
        r"level=INFO logger=newsdedup.server archived records=1 .+$",
        r"level=DEBUG logger=newsdedup.server request method=GET path=/v1/search status=200 ms=",
    ),
}


@pytest.mark.parametrize(("name", "expected"), LINES.items())
def test_a_process_logs_a_line_for_each_batch_and_at_debug_for_each_item(
    observed_chain, name, expected
):
    log = observed_chain.logs[name]
    for line in expected:
        assert re.search(line, log, re.MULTILINE), (line, log)


def test_no_log_holds_a_title_a_text_or_a_secret(observed_chain):
    for name, log in observed_chain.logs.items():
        assert log
        for private in PRIVATE:
            assert private not in log, (name, log)
