"""The study of `lab stats`: figures 4 to 6 of Lande, Darmokhval and Morozov (2006)."""

from collections.abc import Iterable
from dataclasses import asdict
from functools import cached_property

from newsdedup_lab.collections.corpora import Corpus
from newsdedup_lab.report.report_content import StudyReport
from newsdedup_lab.report.study_stages import Stages
from newsdedup_lab.stats.judged import ItemOutcome, StreamOutcome, judge_items, parse_query
from newsdedup_lab.stats.publishers import LEAST_ITEMS
from newsdedup_lab.stats.stats_report import Period, count_volumes, stats_report


class StatsStudy:
    """Counts volumes and sources; the items are judged only if a stage is missing."""

    def __init__(
        self, corpus: Corpus, stages: Stages, *, query: str = "", period: Period = "week"
    ) -> None:
        self._corpus = corpus
        self._stages = stages
        self._query = query
        self._words = parse_query(query, corpus) if query else ()
        self._period = period

    def report(self) -> StudyReport:
        """Run the stages and return the page of `lab stats`.

        They count volumes, those of the query, if there is one, and sources; a stage that is stored
        is read instead.
        """
        period = {"period": self._period}
        whole = self._stages.run("volumes", period, lambda: self._volumes(self._outcome.items))
        query_volumes = None
        if self._query:
            query_volumes = self._stages.run(
                "query", {**period, "query": self._query}, self._query_volumes
            )
        sources = self._stages.run("sources", {"least_items": LEAST_ITEMS}, self._sources)
        return stats_report(whole, query_volumes, sources, period=self._period, query=self._query)

    @cached_property
    def _outcome(self) -> StreamOutcome:
        """Judge the items, at the first call only, and return their outcomes."""
        return judge_items(self._corpus, self._words, self._stages.watch)

    def _query_volumes(self) -> object:
        """Return the counts of the items that match the query as JSON values."""
        return self._volumes(one for one in self._outcome.items if one.in_query)

    def _volumes(self, items: Iterable[ItemOutcome]) -> object:
        """Return the counts of these items as JSON values: in all, undated, and by period."""
        found = list(items)
        dated = [(one.at, one.duplicate) for one in found if one.at is not None]
        return {
            "items": len(found),
            "duplicates": sum(one.duplicate for one in found),
            "undated": len(found) - len(dated),
            "periods": count_volumes(dated, self._period),
        }

    def _sources(self) -> object:
        """Return the counts of links and of each source as JSON values."""
        all_judged = self._outcome
        return {
            "listing_links": all_judged.listing,
            "linking": all_judged.linking,
            "without_address": all_judged.without_address,
            "sources": [asdict(one) for one in all_judged.publishers()],
        }
