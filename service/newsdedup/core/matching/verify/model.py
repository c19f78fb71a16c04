"""The weights of the verifier: a value that is fitted in the lab and read from a file."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import exp, isfinite
from operator import mul

from newsdedup.core.matching.rules import Contribution
from newsdedup.core.matching.verify.features import AGAINST, Features


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model: p = 1 / (1 + exp(-(bias + w . f + habit * shift)))."""

    version: str
    bias: float
    weights: tuple[float, ...]
    """In the order of Features."""
    means: tuple[float, ...]
    """Of the pairs it was fitted on."""
    habit: float
    """The weight of the shift by the copy rates of the stream (copy_rates.py)."""
    base: float
    """The share of duplicates among the pairs it was fitted on."""
    threshold: float
    translated: float = 0.0
    """What is added where one text is Russian and the other Ukrainian: a translation keeps fewer
    phrases and words than a copy does."""

    def __post_init__(self) -> None:
        """Raise ValueError if weights do not fit the features, point the wrong way or are NaN."""
        # Nothing compares with NaN, so every other check would let it pass.
        numbers = (self.bias, *self.weights, *self.means, self.habit, self.translated)
        if not all(map(isfinite, numbers)) or not 0 < self.threshold <= 1:
            raise ValueError("a model needs finite numbers, and a threshold above 0 up to 1")
        if not len(self.weights) == len(self.means) == len(Features._fields):
            raise ValueError(f"a model needs {len(Features._fields)} weights and means")
        wrong = [
            name
            for name, weight in zip(Features._fields, self.weights, strict=True)
            if (weight > 0 if name in AGAINST else weight < 0)
        ]
        if wrong or self.habit < 0 or not 0 < self.base < 1:
            raise ValueError(f"a model of the wrong sign: {', '.join(wrong) or 'habit or base'}")

    def logit(self, features: Features) -> float:
        """Return the log-odds of a duplicate in one language, without the habits of the stream."""
        weighed: float = sum(map(mul, self.weights, features))
        return self.bias + weighed

    def contributions(
        self, features: Features, *, shift: float = 0.0, translated: float = 0.0
    ) -> list[Contribution]:
        """Return what each feature adds to the log-odds, the strongest first, equal ones by name.

        That is weight * (value - mean): against a pair in one language that has the mean value of
        every feature. `shift` adds as the feature "habit"; `translated` is the log-odds added for a
        translation.
        """
        found = [
            Contribution(name, value, round(weight * (value - mean), 3))
            for name, value, weight, mean in zip(
                Features._fields, features, self.weights, self.means, strict=True
            )
        ]
        found.append(Contribution("habit", shift, round(self.habit * shift, 3)))
        if translated:
            found.append(Contribution("translated", 1.0, round(translated, 3)))
        return sorted(found, key=lambda each: (-abs(each.logit), each.feature))


def probability(logit: float) -> float:
    """Return the probability for a logit, to four decimals, the same on every machine."""
    return round(1 / (1 + exp(-max(-30.0, min(30.0, logit)))), 4)


def parse_model(text: str) -> Model:
    """Return the model of a file's text; raise ValueError if it is no JSON or no valid model.

    A feature that the file lacks, because it is newer than the fit, has the weight 0.
    """
    try:
        read = json.loads(text)
        return Model(
            version=str(read["version"]),
            bias=float(read["bias"]),
            weights=_in_order(read["weights"]),
            means=_in_order(read["means"]),
            **{name: float(read[name]) for name in ("habit", "base", "threshold", "translated")},
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON: {error}") from error
    except KeyError as error:
        raise ValueError(f"it lacks {error}, which `lab fit` writes") from error
    except (AttributeError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"not a model of the verifier: {error}") from error


def render_model(model: Model) -> str:
    """Return the model as JSON, with weights and means by feature; `parse_model` reads it."""
    read = asdict(model) | {
        "weights": dict(zip(Features._fields, model.weights, strict=True)),
        "means": dict(zip(Features._fields, model.means, strict=True)),
    }
    return json.dumps(read, indent=2) + "\n"


def _in_order(named: Mapping[str, float]) -> tuple[float, ...]:
    """Return the numbers of a model file in the order of Features, 0 for those that it lacks.

    Raise ValueError for a name that is no feature.
    """
    unknown = sorted(named.keys() - set(Features._fields))
    if unknown:
        known = ", ".join(Features._fields)
        raise ValueError(f"no such feature: {', '.join(unknown)}; there are {known}")
    return tuple(float(named.get(name, 0.0)) for name in Features._fields)
