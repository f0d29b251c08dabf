"""Input and output of drivers: see tests/clients/README.md."""

import json
import os
import re

from hexbytes import HexBytes
from web3.datastructures import AttributeDict

URL = os.environ["RPC_URL"]
CHAIN_ID = int(os.environ["CHAIN_ID"])
PRIVATE_KEY = os.environ["PRIVATE_KEY"]
STEPS = os.environ.get("STEPS")
with open(os.environ["FACTS"], encoding="utf8") as file:
    FACTS = json.load(file)

MANY = [f"0x{index + 1:040x}".replace("0x00", "0xd0") for index in range(150)]


def does(step, act):
    """Runs one step and prints its result."""
    if STEPS and step not in STEPS.split(","):
        return
    try:
        line = {"step": step, "ok": True, "value": plain(act())}
    except Exception as thrown:  # anything that user code would have to catch
        line = {"step": step, "ok": False, "error": described(thrown)}
    print(json.dumps(line), flush=True)


def described(thrown):
    """Errors of web3.py have the node's reply as `rpc_response`, those of requests the HTTP response as `response`."""
    answer = getattr(thrown, "rpc_response", None) or {}
    http = getattr(thrown, "response", None)
    code = answer.get("error", {}).get("code") if http is None else http.status_code
    data = getattr(thrown, "data", None)
    # The answer id differs in each run.
    message = re.sub(r"'answer': '[^']+'", "'answer': …", str(thrown))
    return {
        "type": f"{type(thrown).__module__}.{type(thrown).__qualname__}",
        "code": code,
        "message": message if data is None else f"{message} (data {data})",
    }


def plain(value):
    """Bytes as hex, and numbers of any size as text."""
    if isinstance(value, (bytes, bytearray)):
        return HexBytes(value).to_0x_hex()
    if isinstance(value, (dict, AttributeDict)):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    return value
