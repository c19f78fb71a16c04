"""The classes of Kafka as Java has read them once, with which a broker starts in half the time.

Java sees whether the archive is of its own version and of the same jars, and else does without.
"""

import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from servers.jars import cached
from servers.kafka_broker import KafkaBroker, class_archive, java
from servers.process import ServerFailed


def is_usable() -> bool:
    """Return whether the archive is there and Java takes it."""
    look = [*java(), "-Xshare:on", "-version"]
    done = subprocess.run(look, capture_output=True, check=False)
    return class_archive().exists() and done.returncode == 0


def provide() -> None:
    """Write the archive, by a broker that starts and stops, unless a usable one is there.

    A Java that starts no broker or writes none changes nothing: brokers do without.
    """
    if is_usable():
        return
    with tempfile.TemporaryDirectory(dir=cached().parent, prefix="classes-") as temporary:
        written, former = Path(temporary) / "classes.jsa", Path(temporary) / "former.jsa"
        broker = KafkaBroker(
            Path(temporary) / "kafka", options=[f"-XX:ArchiveClassesAtExit={written}"]
        )
        # Java writes none while it is given another one.
        with suppress(FileNotFoundError):
            class_archive().rename(former)
        with suppress(ServerFailed):
            broker.start()
            broker.stop()
        # Java crashes on a broken archive, so nobody may meet one that is half written.
        with suppress(FileNotFoundError):
            (written if written.exists() else former).rename(class_archive())


if __name__ == "__main__":
    provide()
