"""A rule on trial judges live items alongside the real one; what is published stays the same."""

import asyncio
import re
from collections import Counter

from laws.round_ups import ANALYZER, REPORTS, analyzed
from laws.round_ups import RULE as VERIFIED
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.matching.rules import Rule, TermsRule
from newsdedup.core.stories.commands import Merge, Retract, Split
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.arrivals import Arrival
from newsdedup.engine.deduplicate import Change, Deduplicate
from newsdedup.engine.shared.progress import BatchResult, Outcome
from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.worker.worker import Shadow
from newsdedup.synthetic.stream import demo_stream
from runners.streaming import Stream, ended, verdicts


def test_a_shadow_rule_tells_where_it_differs_and_publishes_nothing(kafka, redis, tmp_path):
    items = [dict(planted.item) for planted in demo_stream()]
    unique = {(item["source"], item["id"]) for item in items}
    both = [Stream(kafka, redis, tmp_path) for _ in range(2)]
    for stream, shadow in zip(both, ("", "md5"), strict=True):
        stream.produce(items)
        with stream.worker(worker__shadow=shadow) as process:
            stream.judged(len(unique))
            assert ended(process) == 0, stream.logs()
    alone, alongside = (verdicts(stream.read(stream.output)) for stream in both)
    assert {key: said["verdict"] for key, said in alongside.items()} == {
        key: said["verdict"] for key, said in alone.items()
    }
    differs = set(re.findall(r"shadow_differs rule=md5 source='(.*?)' id='(.*?)'", both[1].logs()))
    assert differs
    assert differs < unique


def test_a_shadow_of_the_rule_itself_is_refused(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path)
    with stream.worker(worker__shadow="terms") as process:
        assert process.wait(60) == 2
    assert "expected another rule than rule.name" in stream.logs()


class Alone:
    """Stands for the engine of a rule: decides in memory, as the only worker."""

    def __init__(self, rule: Rule) -> None:
        self._deduplicate = Deduplicate(rule=rule, store=MemoryStore(rule), ledger=MemoryLedger())

    def decide(self, change: Change) -> Outcome:
        return Outcome(tuple(self._deduplicate.apply(change)))

    async def process(self, changes: list[Change]) -> BatchResult:
        return BatchResult([self.decide(change) for change in changes])


class VerdictCounter(Telemetry):
    """Counts the verdicts that a shadow reports."""

    def __init__(self) -> None:
        self.verdicts: Counter[tuple[str, str]] = Counter()

    def shadow(self, real: str, other: str) -> None:
        self.verdicts[real, other] += 1


def test_a_shadow_counts_new_items_and_versions_but_no_corrections():
    bridge, hockey, _ = REPORTS["en"]
    first, copy = (analyzed(name, bridge, minutes=n) for n, name in enumerate("ab"))
    edited = analyzed("a", hockey, minutes=3)
    a, b = first.item.key, copy.item.key
    real, shadow = Alone(VERIFIED), Shadow("terms", Alone(TermsRule()), ANALYZER)

    def verdicts_after(*changes: Change) -> Counter[tuple[str, str]]:
        """Return what the shadow reports of one batch."""
        arrivals = []
        for one in changes:
            way = {"analyzed" if isinstance(one, Analyzed) else "content": one}
            arrivals.append(Arrival(None, events=real.decide(one).events, **way))
        telemetry = VerdictCounter()
        asyncio.run(shadow.follow(arrivals, telemetry))
        return telemetry.verdicts

    both = {("original", "original"): 1, ("duplicate", "duplicate"): 1}
    assert verdicts_after(first, copy) == both
    assert not verdicts_after(Split(b, at=1)), "the editor's verdict is no rule's"
    assert verdicts_after(edited, edited) == {("original", "original"): 1}
    assert not verdicts_after(Merge(a, b, at=2)), (
        "nor is that on another item than the command names"
    )
    assert not verdicts_after(Retract(b))
