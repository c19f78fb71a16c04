"""The problems of one feed: each is one sentence, however many entries have it."""

_EXAMPLE_CHARS = 80


class ProblemList:
    """What is wrong with a feed, in the order in which it was met."""

    __slots__ = ("_counts", "_examples")

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._examples: dict[str, str] = {}

    def add(self, sentence: str, example: str = "") -> None:
        """Add one occurrence; `sentence` has no full stop, `example` is what stands in the feed."""
        self._counts[sentence] = self._counts.get(sentence, 0) + 1
        self._examples.setdefault(sentence, example)

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each problem, with how often it occurs and its first example."""
        return tuple(map(self._worded, self._counts))

    def _worded(self, sentence: str) -> str:
        example = self._examples[sentence]
        if len(example) > _EXAMPLE_CHARS:
            example = example[: _EXAMPLE_CHARS - 1] + "…"
        count = self._counts[sentence]
        times = "" if count == 1 else f" ({count} times)"
        return sentence + (f": {example!r}" if example else "") + times + "."
