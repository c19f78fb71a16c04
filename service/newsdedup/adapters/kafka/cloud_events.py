"""CloudEvents 1.0 on input: the item of an event in structured mode.

In binary mode the value of a record is the item, and there is nothing to do.
"""

import base64
import binascii
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, Limits, decode_object
from newsdedup.adapters.kafka.records import TRACE_HEADERS, ReceivedRecord
from newsdedup.ports.errors import InvalidItem

_STRUCTURED: Final = b"application/cloudevents"
_JSON_FORMAT: Final = b"application/cloudevents+json"
_SPEC_VERSIONS: Final = ("0.3", "1.0")


class _Envelope(Struct):
    # The fields of an event that are read; extensions may hold a trace.
    specversion: str = ""
    data: Raw | UnsetType = UNSET
    data_base64: str | UnsetType = UNSET
    traceparent: str = ""
    tracestate: str = ""


_DECODER: Final = msgspec.json.Decoder(_Envelope)


def unwrap_cloud_event(record: ReceivedRecord, limits: Limits) -> ReceivedRecord:
    """Return a record with the data of a structured CloudEvent as its value; others unchanged.

    Trace extensions become headers. Raise InvalidItem for an event that is broken, holds no data or
    is not JSON.
    """
    kind = content_type(record)
    if record.value is None or not kind.startswith(_STRUCTURED):
        return record
    if kind != _JSON_FORMAT:
        known = _JSON_FORMAT.decode()
        raise InvalidItem("bad_cloudevent", f"{kind[:64]!r} is not supported; {known} is")
    envelope = _decode_envelope(record.value, limits)
    traces = {name: getattr(envelope, name) for name in TRACE_HEADERS}
    extensions = tuple((name, value.encode()) for name, value in traces.items() if value)
    return record._replace(value=_data(envelope), headers=(*extensions, *record.headers))


def content_type(record: ReceivedRecord) -> bytes:
    """Return the media type of a record, without parameters, in small letters."""
    if not record.headers:
        return b""
    names = {name.lower(): value for name, value in record.headers}
    return (names.get("content-type") or b"").partition(b";")[0].strip().lower()


def _decode_envelope(value: bytes, limits: Limits) -> _Envelope:
    try:
        envelope = _DECODER.decode(value.removeprefix(BYTE_ORDER_MARK))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        decode_object(value, limits)  # has the better reason for what is no object
        raise InvalidItem("bad_cloudevent", f"no event of CloudEvents: {error}") from error
    if envelope.specversion not in _SPEC_VERSIONS:
        known, version = " and ".join(_SPEC_VERSIONS), envelope.specversion[:16]
        raise InvalidItem("bad_cloudevent", f"specversion is {version!r}; {known} are read")
    return envelope


def _data(envelope: _Envelope) -> bytes:
    if envelope.data is not UNSET:
        return bytes(envelope.data)
    if envelope.data_base64 is UNSET:
        raise InvalidItem("bad_cloudevent", "the event holds no data")
    try:
        return base64.b64decode(envelope.data_base64, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidItem("bad_cloudevent", f"data_base64: {error}") from error
