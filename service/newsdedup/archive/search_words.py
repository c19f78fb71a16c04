"""The words by which texts are searched: lemmas and numbers, as the index of words holds them."""

from newsdedup.core.model import Language, NewsItem
from newsdedup.core.words.vocabulary import Vocabulary


class SearchWords:
    """Turns texts and queries into words of the index; threads may share it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @property
    def version(self) -> str:
        """Return the version of the lemmas; an index of another version is made anew."""
        return self._vocabulary.version

    def of_item(self, item: NewsItem, lang: Language) -> str:
        """Return the words of an item, each once, with spaces between them."""
        raise NotImplementedError
