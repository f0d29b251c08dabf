"""A listener of tests/engine/clients/README.md with web3.py."""

import asyncio
import json

from steps import FACTS, URL
from web3 import AsyncWeb3, Web3, WebSocketProvider
from websockets.exceptions import ConnectionClosed


def told(line):
    print(json.dumps(line), flush=True)


def heard(stream, number, block_hash, removed=False):
    told({"stream": stream, "number": number, "hash": block_hash.to_0x_hex(), "removed": removed})


async def listen():
    """As web3.py's documentation has it: the loop connects again."""
    async for web3 in AsyncWeb3(WebSocketProvider(URL.replace("http", "ws", 1))):
        try:
            heads = await web3.eth.subscribe("newHeads")
            await web3.eth.subscribe("logs", {"address": Web3.to_checksum_address(FACTS["token"])})
            async for message in web3.socket.process_subscriptions():
                result = message["result"]
                if message["subscription"] == heads:
                    heard("heads", result["number"], result["hash"])
                else:
                    heard("logs", result["blockNumber"], result["blockHash"], result["removed"])
        except ConnectionClosed as ended:
            told({"closed": f"{type(ended).__name__}: {ended}"})


asyncio.run(listen())
