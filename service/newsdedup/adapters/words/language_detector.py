"""Language detection by py3langid: naive Bayes over sequences of bytes."""

import tempfile
from collections.abc import Sequence
from functools import cache
from typing import Any

from newsdedup.core.model import LANGUAGES, Language

_MOST = 4
"""Languages of an answer."""
_LEAST = 0.005
"""A smaller probability is 0 to two decimals."""
_BEGINNING, _BEYOND_DOUBT = 130, 0.95
"""Characters that are read first, and the probability from which on the others are not: they decide
for nine tenths of 9,395 texts, none otherwise than 400 (docs/decisions/0057)."""


class Py3LangidDetector:
    """Finds one of LANGUAGES for a text; sure of most headlines.

    The model is loaded by the first text (0.7 s, 65 MB), so a stream in Russian, Ukrainian and
    English hardly ever pays for it. A text takes .06 to .25 ms.
    """

    def rank(self, text: str) -> Sequence[tuple[Language, float]]:
        """Return up to four languages with their probabilities to two decimals, without zeros.

        Rounded, because the last bits of sums differ between machines; equal ones are in the order
        of their codes.
        """
        if len(text) > _BEGINNING:
            code, probability = _identifier().classify(text[:_BEGINNING])
            if probability >= _BEYOND_DOUBT:
                return [(code, round(float(probability), 2))]
        ranked = [
            (code, round(float(probability), 2))
            for code, probability in _identifier().rank(text)
            if probability >= _LEAST
        ]
        return sorted(ranked, key=lambda one: (-one[1], one[0]))[:_MOST]


@cache
def _identifier() -> Any:
    """Return py3langid's model, with probabilities, of the known languages only: once a process.

    py3langid unpacks it into a temporary file of 70 MB; an OSError names the folder of that.
    """
    # Imported here because most streams never need it, and numpy is slow to import.
    import numpy as np  # noqa: PLC0415
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    try:
        model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        folder = tempfile.gettempdir()
        error.filename = error.filename or f"{folder} (TMPDIR), where py3langid needs 70 MB"
        raise
    model.set_languages(set(model.labels).intersection(LANGUAGES))
    # A new one, since the first keeps the columns of all languages (20 MB). The chosen ones lie in
    # memory column by column, and each text reads some hundred rows.
    return LanguageIdentifier(
        np.ascontiguousarray(model.nb_ptc),
        model.nb_pc,
        model.nb_classes,
        model.tk_nextmove,
        model.tk_output,
        norm_probs=True,
        tk_row=model.tk_row,
    )
