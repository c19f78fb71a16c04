from uuid import uuid4

import pytest
from redis import Redis
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

pytestmark = pytest.mark.usefixtures("redis_program")


def upgraded(redis, name, *flags):
    command = ["upgrade", "--redis", redis.url, "--namespace", name, *flags]
    return CliRunner().invoke(app, command)


def test_a_namespace_of_the_release_before_is_upgraded_once(redis):
    name = f"t{uuid4().hex[:12]}"
    with Redis.from_url(redis.url) as connected:
        connected.hset(f"{{{name}}}:meta", "format", "2")
        first, second = upgraded(redis, name), upgraded(redis, name, "--json")
        assert connected.hget(f"{{{name}}}:meta", "format") == b"5"
    assert first.exit_code == ExitCode.OK
    assert "format 2 -> 5; restart the workers" in first.stdout
    assert '"before": "5"' in second.stdout


def test_a_namespace_that_is_not_there_is_reported(redis):
    result = upgraded(redis, "no-such-namespace")
    assert result.exit_code != ExitCode.OK
    assert "does not exist" in result.stderr
