"""What chaos asks of workers and the doctor: true answers pass, others are kept."""

import signal

from runners.inquiry import Inquiry
from runners.streaming import Stream


def test_answers_that_agree_with_what_was_done_pass_and_others_are_kept(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path)
    inquiry = Inquiry(stream, workers=1)
    port = str(inquiry.probes[0].port)
    with stream.worker(worker__port=port, redis__timeout="1s"):
        inquiry.sound(workers=[0])
        redis.process.signal(signal.SIGSTOP)
        try:
            inquiry.silent("redis", workers=[0])
        finally:
            redis.process.signal(signal.SIGCONT)
        inquiry.sound(workers=[0])
        assert (inquiry.asked, inquiry.disagreements) == (6, [])
        hasty = Inquiry(stream, workers=1, soon_seconds=0.1)
        hasty.probes = inquiry.probes
        hasty.silent("kafka", workers=[0])
        hasty.unwritable()
        worker, doctor, disk = hasty.disagreements
    assert worker.startswith("kafka is silent, and worker 0 is not 'waiting for kafka'")
    assert "/readyz ['ready" in worker
    assert doctor.startswith("kafka is silent, and the doctor does not say so")
    assert disk.startswith("the disk of Redis is full, and the doctor does not say so")
