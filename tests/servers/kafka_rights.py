"""Rights at a Kafka that has an authorizer, given and taken while it runs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import CreateAclsRequest, DeleteAclsRequest

AUTHORIZER: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
EVERYBODY: Final = "User:ANONYMOUS"
"""Who comes without a password."""
KINDS: Final = {"topic": 2, "group": 3}
OPERATIONS: Final = {"Read": 3, "Write": 4, "Create": 5, "Describe": 8, "DescribeConfigs": 10}
ANY, LITERAL, ALLOW = 1, 3, 3
"""Numbers of Kafka's protocol."""

Options = Mapping[str, Sequence[str]]
"""Those of a call of kafka-acls.sh, each with its values: a topic or a group, and operations."""


async def grant(address: str, calls: Iterable[Options]) -> None:
    """Give rights as kafka-acls.sh --add does; AssertionError if Kafka refuses."""
    for options in calls:
        kind, name, user = _resource(options)
        for operation in options["operation"]:
            right = (LITERAL, user, "*", OPERATIONS[operation], ALLOW)
            answer = await _send(address, CreateAclsRequest(kind, name, *right))
            assert [error for error, *_ in answer.creation_responses] == [0]


async def revoke(address: str, calls: Iterable[Options]) -> None:
    """Take all rights of these users of these resources; AssertionError if Kafka refuses."""
    for options in calls:
        kind, name, user = _resource(options)
        answer = await _send(address, DeleteAclsRequest(kind, name, LITERAL, user, "*", ANY, ANY))
        assert [error for error, *_ in answer.filter_responses] == [0]


def _resource(options: Options) -> tuple[int, str, str]:
    """Return the number of a kind, the name of the topic or the group, and the user."""
    (kind,) = KINDS.keys() & options.keys()
    return KINDS[kind], options[kind][0], options["allow-principal"][0]


async def _send(address: str, request: Any) -> Any:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        return await admin._send_request(request)
    finally:
        await admin.close()
