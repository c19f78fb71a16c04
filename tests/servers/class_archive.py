"""The classes of Kafka as Java has read them once, with which a broker starts in half the time.

Java sees whether the archive is of its own version and of the same jars, and else does without.
"""

import subprocess
import tempfile
from pathlib import Path

from servers.jars import cached
from servers.kafka_broker import KafkaBroker, class_archive, java


def is_usable() -> bool:
    """Return whether the archive is there and Java takes it."""
    look = [*java(), "-Xshare:on", "-version"]
    done = subprocess.run(look, capture_output=True, check=False)
    return class_archive().exists() and done.returncode == 0


def provide() -> None:
    """Write the archive, by a broker that starts and stops, unless a usable one is there.

    A Java that writes none leaves none: brokers do without.
    """
    if is_usable():
        return
    class_archive().unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=cached().parent, prefix="classes-") as temporary:
        written = Path(temporary) / "classes.jsa"
        broker = KafkaBroker(
            Path(temporary) / "kafka", options=[f"-XX:ArchiveClassesAtExit={written}"]
        )
        broker.start()
        broker.stop()
        if written.exists():
            # Java crashes on a broken archive, so nobody may meet one that is half written.
            written.rename(class_archive())


if __name__ == "__main__":
    provide()
