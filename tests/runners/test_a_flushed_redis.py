"""Redis is emptied (FLUSHALL) under load: workers and doctor say the same, and what mends it."""

import json
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from newsdedup.synthetic.stream import generate_stream
from runners.outcome import first_verdicts, outcome, undisturbed
from runners.processes import run
from runners.streaming import PATIENCE_SECONDS, Stream, ended
from servers.fixtures import running
from servers.process import wait_until
from servers.redis_server import RedisServer

LOST = 78


pytestmark = pytest.mark.usefixtures("redis_program")


@pytest.fixture
def own_redis(tmp_path):
    folder = tmp_path / "redis"
    folder.mkdir()
    server = RedisServer(folder)
    with running(server, folder):
        yield server


@pytest.fixture
def stream(kafka, own_redis, tmp_path) -> Stream:
    return Stream(kafka, own_redis, tmp_path)


@pytest.fixture(scope="module")
def items() -> list[dict]:
    return [dict(planted.item) for planted in generate_stream(300, seed=5)]


def doctor(stream: Stream) -> tuple[int, dict[str, dict[str, str]]]:
    """Return the exit code of the doctor and its findings by check."""
    done = run("doctor", "--worker", "--json", cwd=stream.folder, **stream.environment())
    return done.returncode, {one["check"]: one for one in json.loads(done.stdout)["checks"]}


def reported_loss(stream: Stream) -> tuple[str, str]:
    """Return the first line that the doctor says of a lost namespace, and its advice."""
    code, found = doctor(stream)
    lost = found[f"namespace {stream.name}"]
    assert (code, lost["status"]) == (1, "fail"), found
    return lost["message"].splitlines()[0], lost["advice"]


def named_command(advice: str) -> list[str]:
    """Return the arguments of the command that an advice names."""
    words = shlex.split(advice.split("`")[1])
    return words[words.index("newsdedup") + 1 :]


def last_words(stream: Stream) -> list[str]:
    """Return what each worker said after its log."""
    logs = stream.logs().replace(f"`{sys.executable} -m newsdedup ", "`newsdedup ")
    assert "Traceback" not in logs, logs
    ends = logs.split("newsdedup: redis ")[1:]
    return ["redis " + "\n".join(end.splitlines()[:2]) for end in ends]


@pytest.mark.parametrize("runner", ["faust", "aiokafka"])
def test_a_flush_under_load_is_reported_alike_by_all_and_mended_by_the_command_they_name(
    stream, own_redis, items, runner
):
    expected = undisturbed(items, stream.folder)
    with ExitStack() as alive, ThreadPoolExecutor() as pool:
        workers = [alive.enter_context(stream.worker(runner=runner)) for _ in range(2)]
        stream.produce(items[:100])
        stream.until(lambda events: len(first_verdicts(events)) >= 50)
        # What no offset covers is read again: without one nothing would be lost.
        wait_until(lambda: any(stream.committed()), what="a worker has committed an offset")
        load = [pool.submit(stream.produce, items[at : at + 20]) for at in range(100, 300, 20)]
        own_redis.ask("FLUSHALL")
        assert [one.wait(PATIENCE_SECONDS) for one in workers] == [LOST, LOST], stream.logs()
        for one in load:
            one.result()
    message, advice = reported_loss(stream)
    # The next one makes the namespace anew, and finds it empty.
    with stream.worker(runner=runner) as again:
        assert again.wait(PATIENCE_SECONDS) == LOST, stream.logs()
    assert reported_loss(stream) == (message, advice)
    assert last_words(stream) == [f"{message}\n-> {advice}"] * 3
    mended = run(*named_command(advice), cwd=stream.folder, **stream.environment())
    assert mended.returncode == 0, mended.stderr
    code, found = doctor(stream)
    assert (code, found["group"]["status"]) == (0, "ok"), found
    with stream.worker(runner=runner) as process:
        events = stream.until(lambda events: expected.versions <= set(first_verdicts(events)))
        assert ended(process) == 0, stream.logs()
    events = stream.read(stream.output)
    assert outcome(events, expected).sound, outcome(events, expected)


def test_the_command_repeats_the_flags_and_the_settings_file_of_the_doctor(stream, own_redis):
    stream.produce([{"source": "a", "id": "1", "text": "The ferry stopped on Monday."}])
    with stream.worker() as process:
        stream.judged(1)
        assert ended(process) == 0, stream.logs()
    own_redis.ask("FLUSHALL")
    (stream.folder / "own settings.toml").write_text("[rule]\nlateness = '5h'\n", "utf-8")
    environ = stream.environment()
    given = {
        "--kafka": environ.pop("NEWSDEDUP_KAFKA__SERVERS"),
        "--redis": environ.pop("NEWSDEDUP_REDIS__URL"),
        "--namespace": environ.pop("NEWSDEDUP_REDIS__NAMESPACE"),
        "--rule": environ.pop("NEWSDEDUP_RULE__NAME"),
        "--config": "own settings.toml",
    }
    flags = [word for pair in given.items() for word in pair]
    done = run("doctor", "--worker", "--json", *flags, cwd=stream.folder, **environ)
    found = {one["check"]: one for one in json.loads(done.stdout)["checks"]}
    first, *named = named_command(found[f"namespace {stream.name}"]["advice"])
    assert first == "rebuild"
    assert dict(zip(named[::2], named[1::2], strict=True)) == given


def test_a_state_that_lacks_the_last_commits_is_warned_of(stream, own_redis, items):
    stream.produce(items[:40])
    with stream.worker() as process:
        stream.until(lambda events: len(first_verdicts(events)) >= 40)
        assert ended(process) == 0, stream.logs()
    code, found = doctor(stream)
    assert (code, found["group"]["status"]) == (0, "ok"), found
    own_redis.ask("HSET", f"{{{stream.name}}}:positions", f"{stream.input}/0", 0)
    code, found = doctor(stream)
    assert (code, found["group"]["status"]) == (0, "warn"), found
    assert "records more than the state in Redis holds" in found["group"]["message"]
