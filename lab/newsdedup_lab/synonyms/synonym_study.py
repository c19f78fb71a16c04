"""The study of `lab synonyms`: Jaccard's coefficient with and without stop words and synonyms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

from newsdedup.core.fingerprints.synonym_jaccard import NO_SYNONYMS, Synonyms
from newsdedup_lab.cluster.measures import JaccardMeasure, SimilarPair, similar_pairs
from newsdedup_lab.collections.corpora import Corpus
from newsdedup_lab.collections.truths import TruthChoice
from newsdedup_lab.report.report_content import StudyReport
from newsdedup_lab.report.study_stages import Stages
from newsdedup_lab.synonyms.all_words import (
    AllWords,
    Band,
    band_measurements,
    count_words,
    dictionaries_digest,
    read_dictionaries,
)
from newsdedup_lab.synonyms.control_group import (
    ControlGroup,
    CoupledWords,
    compare_group,
    control_group,
    couple_words,
    labelled_group,
    restore_group,
    synonym_similarity,
)
from newsdedup_lab.synonyms.synonym_report import synonyms_report
from newsdedup_lab.synonyms.threshold_curves import VARIANTS

_LEAST_SIMILARITY = 0.2
"""Weighted Jaccard of lemmas from which on texts are compared, if they are the truth."""
_MAX_DOCUMENTS = 2_000
"""Documents compared each with each, as a rule."""
_TIMED_GROUPS = ((4, 2_000), (20, 300), (4, 4_000))
"""Documents and characters of the paper's time table."""
_LEAST_SECONDS = 0.05


@dataclass(frozen=True)
class SynonymsOptions:
    """The options of the study."""

    truth: TruthChoice = field(default_factory=TruthChoice)
    dictionaries: tuple[Path, ...] = ()
    band: Band = field(default_factory=Band)
    most: int = _MAX_DOCUMENTS

    @property
    def variants(self) -> tuple[str, ...]:
        """Return the variants; those with synonyms need a dictionary."""
        return VARIANTS if self.dictionaries else VARIANTS[:2]


class SynonymsStudy:
    """Draws the control group and compares it in each variant, each as a stage.

    Times are those of the processor, so that what else a machine does is not in them.
    """

    def __init__(
        self,
        corpus: Corpus,
        stages: Stages,
        choice: SynonymsOptions,
        *,
        clock: Callable[[], float] = process_time,
    ) -> None:
        self._corpus = corpus
        self._stages = stages
        self._choice = choice
        self._clock = clock

    def report(self) -> StudyReport:
        """Run the stages and return the page of `lab synonyms`.

        They find the truth, the control group and its words, compare each variant and take times; a
        stage that is stored is read instead.
        """
        choice = self._choice
        of_truth = {**choice.truth.digests(), "least": _LEAST_SIMILARITY}
        truth = self._stages.run("synonyms-truth", of_truth, self._truth)
        of_group = {**of_truth, "most": choice.most}
        measurements = self._stages.run("synonyms-group", of_group, lambda: self._group(truth))
        group, sizes = restore_group(measurements), measurements["sizes"]
        of_words = {
            **of_group,
            "band": [choice.band.lowest, choice.band.highest],
            "dictionaries": dictionaries_digest(choice.dictionaries),
        }
        words = self._stages.run("synonyms-words", of_words, lambda: self._words(group))
        variants = {name: self._variant(name, group, sizes, of_words) for name in choice.variants}
        times = self._stages.run("synonyms-times", of_words, lambda: self._times(group))
        about = {"truth": {name: truth[name] for name in truth if name != "members"}}
        return synonyms_report({**about, "group": measurements, "words": words}, variants, times)

    @cached_property
    def _collection(self) -> AllWords:
        """Return the words of the corpus, which is read at the first call only."""
        return count_words(self._corpus, self._stages.watch)

    @cached_property
    def _synonyms(self) -> Synonyms:
        """Return the synonyms of all dictionaries, which are read at the first call only."""
        return read_dictionaries(self._choice.dictionaries, self._collection.reader.lemma)

    def _truth(self) -> object:
        """Return the true clusters, the labelled pairs and their counts as JSON values."""
        documents = self._collection.documents
        truth = self._choice.truth.truth(documents, self._candidates, self._stages.watch)
        clusters = truth.clusters.clusters
        return {
            "kind": truth.kind,
            "documents": len(documents.keys),
            "duplicates": sum(len(cluster) - 1 for cluster in clusters),
            "clusters": sum(len(cluster) > 1 for cluster in clusters),
            "members": clusters,
            "labelled": truth.labelled,
        }

    def _candidates(self) -> list[SimilarPair]:
        """Return the pairs whose lemmas are similar enough to compare their texts for the truth."""
        measure = JaccardMeasure(self._collection.documents)
        with self._stages.watch.step("similar texts", len(measure.vectors)) as advance:
            return similar_pairs(measure, _LEAST_SIMILARITY, advance)

    def _group(self, measurements: dict[str, Any]) -> object:
        """Return the control group and the lengths of its texts as JSON values.

        `measurements` are those of the truth: all documents of labelled pairs, or a sample of
        clusters.
        """
        documents = self._collection.documents
        if measurements["labelled"]:
            group = labelled_group(measurements["labelled"])
        else:
            clusters = [tuple(members) for members in measurements["members"]]
            group = control_group(clusters, documents.keys, most=self._choice.most)
        sizes = [len(documents.texts[index]) for index in group.indexes]
        return {**group.to_json(), "sizes": sizes}

    def _words(self, group: ControlGroup) -> object:
        """Compute which lemmas the band keeps, in the collection and in documents of the group."""
        lemmas = [self._collection.lemmas(index) for index in group.indexes]
        return band_measurements(self._collection, self._choice.band, lemmas, self._synonyms)

    def _variant(
        self, name: str, group: ControlGroup, sizes: Sequence[int], made_of: dict[str, object]
    ) -> Any:
        """Return histograms, mean coefficients and seconds of comparing the group in one variant.

        They are read from the stage's file if it was made with the parameters `made_of`, else
        computed and stored. `sizes` are the lengths of the group's texts.
        """

        def work() -> object:
            """Compare the group; return the measurements, and the seconds that it took."""
            words = self._words_of(name, group.indexes)
            with self._stages.watch.step(f"comparing: {name}", len(words)) as advance:
                began = self._clock()
                found = compare_group(words, group, sizes, advance)
                return {**found, "seconds": round(self._clock() - began, 1)}

        return self._stages.run(f"synonyms-{name.replace(' ', '-')}", made_of, work)

    def _words_of(self, name: str, indexes: Sequence[int]) -> list[CoupledWords]:
        """Return the words of the documents at these indexes, as a variant compares them.

        A variant "band ..." keeps only the lemmas in the band; one "... synonyms" couples synonyms.
        """
        read, band = self._collection, self._choice.band
        synonyms = self._synonyms if "synonyms" in name else NO_SYNONYMS
        cut, total = name.startswith("band"), read.total
        return [
            couple_words(
                [
                    lemma
                    for lemma in read.lemmas(index)
                    if not cut or band.holds(read.frequencies[lemma], total)
                ],
                synonyms,
            )
            for index in indexes
        ]

    def _times(self, group: ControlGroup) -> object:
        """Time comparing all pairs of groups of the sizes in the paper's table; return rows."""
        with self._stages.watch.step("taking times", len(_TIMED_GROUPS)) as advance:
            rows = []
            for count, size in _TIMED_GROUPS:
                rows.append(self._time_row(self._documents_near(group, size)[:count], size))
                advance(1)
            return rows

    def _documents_near(self, group: ControlGroup, size: int) -> list[int]:
        """Return the group's documents of its commonest language, nearest to `size` first."""
        documents, languages = self._collection.documents, self._collection.languages
        spoken = {index: languages[documents.keys[index]] for index in group.indexes}
        commonest = max(sorted(set(spoken.values())), key=list(spoken.values()).count)
        own = [index for index in spoken if spoken[index] == commonest]
        return sorted(own, key=lambda index: (abs(len(documents.texts[index]) - size), index))

    def _time_row(self, indexes: Sequence[int], size: int) -> dict[str, object]:
        """Time the comparison of all pairs of these documents in each variant; return a row.

        The row has the number of documents, their mean length, `size`, and microseconds by variant.
        """
        characters = sum(len(self._collection.documents.texts[index]) for index in indexes)
        times = {
            name: self._time_matrix(self._words_of(name, indexes)) for name in self._choice.variants
        }
        return {
            "documents": len(indexes),
            "characters": round(characters / len(indexes)),
            "asked": size,
            "microseconds": times,
        }

    def _time_matrix(self, words: Sequence[CoupledWords]) -> float:
        """Return the mean microseconds that comparing all pairs once takes."""
        rounds, began = 0, self._clock()
        while self._clock() - began < _LEAST_SECONDS:
            for one, other in combinations(words, 2):
                synonym_similarity(one, other)
            rounds += 1
        return round((self._clock() - began) / rounds * 1e6, 3)
