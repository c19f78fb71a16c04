"""What the engine would publish about an item over the store that workers share."""

from newsdedup.core.events import Event
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.engine.shared.view import LookupMissing
from newsdedup.engine.stream_learner import PreviewLearner
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.ports.shared_store import StateChanged

_ATTEMPTS = 5
"""How often an item is looked up anew because workers changed what was read meanwhile."""


async def preview_shared(
    analyzed: Analyzed, engine: SharedEngine, *, lateness: int, bound: int
) -> list[Event]:
    """Return the events that an item would give, as `Deduplicate.preview` does; commit nothing.

    Raise Unavailable if the server does not answer, or workers write faster than this reads.
    """
    for _ in range(_ATTEMPTS):
        try:
            if engine.observations is not None:
                await engine.observations.catch_up()
            return await _preview(analyzed, engine, lateness=lateness, bound=bound)
        except StateChanged:
            continue
        except StateMoved:
            # Nothing was written here: begin again with the new state of the server.
            if engine.observations is not None:
                engine.observations.forget()
    raise Unavailable("redis: the state changes faster than it can be read")


async def _preview(
    analyzed: Analyzed, engine: SharedEngine, *, lateness: int, bound: int
) -> list[Event]:
    """Decide over a view that is thrown away; again after each look-up that was lacking."""
    view = engine.new_view()
    lookups = engine.prefetch([analyzed])
    seen = await engine.store.look(lookups)
    view.load(lookups, seen)
    while True:
        trial = Deduplicate(
            rule=engine.rule,
            store=view,
            ledger=view.ledger,
            lateness=lateness,
            bound=bound,
            generation=seen.generation,
            watermark=seen.watermark,
            recorder=None
            if engine.observations is None
            else PreviewLearner(engine.observations.recorder),
        )
        try:
            return trial.publish(analyzed)
        except LookupMissing as missing:
            view.load(missing.lookups, await engine.store.look(missing.lookups))
