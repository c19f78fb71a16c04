"""How Kafka is reached: the options that all its clients share."""

import ssl
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class KafkaAccess:
    """An address and what opens it; the password is in no message of ours."""

    servers: str
    security: str = "PLAINTEXT"
    mechanism: str = "SCRAM-SHA-512"
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""

    def options(self) -> dict[str, Any]:
        """Return the options of any client of aiokafka."""
        options: dict[str, Any] = {
            "bootstrap_servers": [part.strip() for part in self.servers.split(",")],
            "security_protocol": self.security,
        }
        if "SSL" in self.security.split("_"):
            options["ssl_context"] = self.tls()
        if self.security.startswith("SASL"):
            options |= {
                "sasl_mechanism": self.mechanism,
                "sasl_plain_username": self.username,
                "sasl_plain_password": self.password,
            }
        return options

    def tls(self) -> ssl.SSLContext:
        """Return what checks the broker's certificate and name."""
        return ssl.create_default_context(cafile=self.ca_file or None)
