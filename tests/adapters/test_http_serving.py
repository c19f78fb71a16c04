"""Ports of the server, of metrics and of the callbacks of hubs, with clients that end nothing."""

import asyncio

import pytest
from aiohttp import web

from newsdedup.adapters.http import serving
from newsdedup.adapters.http.serving import serve_app


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nX: "])
def test_a_connection_on_which_no_whole_request_comes_is_closed(begun, monkeypatch):
    monkeypatch.setattr(serving, "IDLE_SECONDS", 0.1)

    async def answer():
        async with serve_app(web.Application(), "127.0.0.1", 0, refusal=str) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            try:
                async with asyncio.timeout(20):
                    return await reader.read()
            finally:
                writer.close()

    assert asyncio.run(answer()) == b""
