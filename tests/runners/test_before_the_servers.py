"""A worker that is started before its servers waits for them, and may be told to stop meanwhile."""

import pytest

from runners.streaming import Stream, ended
from servers.ports import HOST, free_ports
from servers.process import wait_until

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")


@pytest.mark.parametrize(
    ("server", "runner"),
    [("redis__url", "aiokafka"), ("kafka__servers", "aiokafka"), ("kafka__servers", "faust")],
)
def test_a_worker_without_a_server_waits_and_stops_in_order(kafka, redis, tmp_path, server, runner):
    stream = Stream(kafka, redis, tmp_path)
    nobody = f"{HOST}:{free_ports(1)[0]}"
    address = f"redis://{nobody}/0" if server == "redis__url" else nobody
    with stream.worker(runner=runner, **{server: address}) as process:
        wait_until(lambda: "waiting server=" in stream.logs(), what="it waits")
        assert process.poll() is None
        assert ended(process) == 0, stream.logs()
    # It had nothing at hand that could have been waited for.
    assert "not_drained" not in stream.logs()
