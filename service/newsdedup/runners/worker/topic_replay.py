"""Dead letters of a topic fed again: each once, also if a replay dies and is begun again.

What was written is remembered after it was acknowledged, so a replay that dies between the two
writes some records twice; they get the verdicts they have. What fails again is buried anew, at the
end of the topic, and belongs to the next replay. Letters of items that were withdrawn since stay
where they are: they must not bring them back.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from newsdedup.adapters.kafka.erasures import Erasures
from newsdedup.adapters.kafka.letters_read import TopicLetter, fed_again, letter
from newsdedup.adapters.kafka.records import Outgoing
from newsdedup.adapters.kafka.topic import KafkaTopic

AT_ONCE: Final = 500

Write = Callable[[Sequence[Outgoing]], Awaitable[list[int]]]
"""Writes records and returns the places of those that are too large."""
Step = tuple[Counter[str], list[TopicLetter]]
"""How many letters were fed again, cut or refused, and the latter two."""


async def replays(
    rest: KafkaTopic, write: Write, *, to: str, erasures: Erasures
) -> AsyncIterator[Step]:
    """Yield what came of each batch of letters, once it is written and remembered."""
    async for batch in rest.records(at_once=AT_ONCE):
        letters = [letter(record) for record in erasures.left(batch)]
        whole = [one for one in letters if is_whole(one)]
        places = await write([fed_again(one, to) for one in whole]) if whole else []
        refused = [whole[place] for place in places]
        await rest.done(batch)
        left = [one for one in letters if not is_whole(one)]
        counts = Counter(replayed=len(whole) - len(refused), cut=len(left), refused=len(refused))
        yield counts, [*left, *refused]


def is_whole(one: TopicLetter) -> bool:
    """Return whether the record is all in the letter, and anything is in it."""
    return not one.cut and (one.key is not None or one.value is not None)
