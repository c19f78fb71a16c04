"""What a worker needs of the disk it reads once, however many parts want it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from newsdedup.adapters.words.package_data import (
    shipped_background,
    shipped_model,
    write_background,
)
from newsdedup.bootstrap.workers import make_worker, namespace_session, open_shadow
from newsdedup.config import Settings, build_settings
from newsdedup.core.matching.verify.model import render_model
from newsdedup.ports.errors import StateUnusable


async def opened(settings: Settings, table: Path) -> None:
    """Open a worker with a rule on trial; its table is gone once the namespace is there."""
    async with namespace_session(settings) as namespace:
        await asyncio.to_thread(table.unlink)
        async with open_shadow(settings, namespace) as shadow:
            working = make_worker(settings, namespace, shadow=shadow)
            await working.close()


def test_a_worker_and_its_rule_on_trial_read_the_table_of_words_once(redis, tmp_path):
    table = tmp_path / "table.zst"
    write_background(table, shipped_background())
    settings = build_settings(
        {
            "words.background": str(table),
            "redis.url": redis.url,
            "redis.namespace": f"opening-{uuid4().hex[:8]}",
            "worker.shadow": "terms",
        }
    )
    asyncio.run(opened(settings, table))
    assert not table.exists()


def test_a_namespace_of_one_model_is_refused_by_another(redis, tmp_path):
    async def judged_by(model: str) -> str:
        settings = build_settings(
            {"redis.url": redis.url, "redis.namespace": name, "rule.model": model}
        )
        async with namespace_session(settings) as found:
            return found.rule.version

    name, own = f"models-{uuid4().hex[:8]}", tmp_path / "own.json"
    own.write_text(render_model(replace(shipped_model(), bias=-9.0)), "utf-8")
    assert asyncio.run(judged_by("")) == asyncio.run(judged_by(""))
    with pytest.raises(StateUnusable, match="verified-3/"):
        asyncio.run(judged_by(str(own)))
