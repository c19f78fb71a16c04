from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import fsum, sqrt


def tf_idf_vector(tokens: Iterable[str], idf: Callable[[str], float]) -> dict[str, float]:
    """Return the tokens with their weights, normed to length 1; without any weight, no token.

    w(t) = w'(t) / sqrt(sum of w'(t')^2 over all t'), w'(t) = tf(t) * idf(t).
    """
    raw = {token: tf * idf(token) for token, tf in Counter(tokens).items()}
    length = sqrt(fsum(weight * weight for weight in raw.values()))
    return {token: weight / length for token, weight in raw.items() if weight} if length else {}


def cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Return the cosine of the angle between two vectors of length 1, or 0 beside an empty one.

    sum of w_left(t) * w_right(t) over the tokens t of both.
    """
    fewer, more = (left, right) if len(left) <= len(right) else (right, left)
    product = fsum(weight * more[token] for token, weight in fewer.items() if token in more)
    return min(1.0, product)  # the norms are rounded, so equal vectors may exceed 1 by a bit


def tf_idf_cosine(left: Iterable[str], right: Iterable[str], idf: Callable[[str], float]) -> float:
    """Return the cosine of two texts, given by their tokens."""
    return cosine(tf_idf_vector(left, idf), tf_idf_vector(right, idf))
