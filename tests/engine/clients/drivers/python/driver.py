"""All steps of tests/clients/README.md with web3.py."""

from eth_account import Account
from steps import CHAIN_ID, FACTS, MANY, PRIVATE_KEY, STEPS, URL, does
from web3 import Web3
from web3.middleware import SignAndSendRawMiddlewareBuilder

web3 = Web3(Web3.HTTPProvider(URL))
eth = web3.eth
account = Account.from_key(PRIVATE_KEY)
checksummed = Web3.to_checksum_address
richest, stranger, token, probe = (
    checksummed(FACTS[name]) for name in ("richest", "stranger", "token", "probe")
)
calls, raw, head, block = FACTS["calls"], FACTS["raw"], FACTS["head"], FACTS["block"]
contract = eth.contract(address=probe, abi=FACTS["probeAbi"])
above = head + 1000


def reading(name):
    return lambda: eth.call({"to": probe, "data": calls[name]})


def estimating(name):
    return lambda: eth.estimate_gas({"from": richest, "to": probe, "data": calls[name]})


def sending(name):
    return lambda: eth.send_raw_transaction(raw[name])


def reads():
    does("chainId", lambda: eth.chain_id)
    does("blockNumber", lambda: eth.block_number)
    does("balance", lambda: eth.get_balance(stranger if STEPS else richest))
    does("nonce", lambda: eth.get_transaction_count(richest))
    does("code", lambda: eth.get_code(token))
    does("storage", lambda: eth.get_storage_at(probe, 0))
    does("call", reading("value"))
    does("callReverts", reading("reverts"))
    does("callPanics", reading("panics"))
    does("callCustomError", reading("refuses"))
    does("contractReverts", lambda: contract.functions.reverts().call())
    does("contractRefuses", lambda: contract.functions.refuses().call())
    does("blockByNumber", lambda: eth.get_block(block["number"]))
    does("blockByHash", lambda: eth.get_block(block["hash"], full_transactions=True))
    does("blockAboveHead", lambda: eth.get_block(above))
    does("blockReceiptsAboveHead", lambda: eth.get_block_receipts(above))
    does("blockReceipts", lambda: eth.get_block_receipts(block["number"]))
    does("transaction", lambda: eth.get_transaction(FACTS["transfer"]))
    does("transactionMissing", lambda: eth.get_transaction(FACTS["missing"]))
    does("receipt", lambda: eth.get_transaction_receipt(FACTS["transfer"]))
    does("receiptMissing", lambda: eth.get_transaction_receipt(FACTS["missing"]))
    does("logs", lambda: eth.get_logs({"address": token, "fromBlock": 0, "toBlock": head}))
    does("logsBeyondHead", lambda: eth.get_logs({"fromBlock": head, "toBlock": above}))
    does("logsInverted", lambda: eth.get_logs({"fromBlock": head, "toBlock": 1}))
    does("feeHistory", lambda: eth.fee_history(4, block["number"], [25, 75]))
    does("feeHistoryLong", lambda: eth.fee_history(1025, "latest", []))
    does("logsUnknownBlock", lambda: eth.get_logs({"blockHash": FACTS["missing"]}))
    does("gasPrice", lambda: eth.gas_price)
    does("priorityFee", lambda: eth.max_priority_fee)
    does("estimate", lambda: eth.estimate_gas({"from": richest, "to": stranger, "value": 1}))
    does("estimateReverts", estimating("reverts"))
    does("estimateOutOfGas", estimating("burns"))
    does("stateAboveHead", lambda: eth.get_balance(richest, above))
    does("unknownMethod", lambda: web3.manager.request_blocking("quorate_nothing", []))
    does("accounts", lambda: eth.accounts)
    does("peerCount", lambda: web3.net.peer_count)
    does("listening", lambda: web3.net.listening)
    does("syncing", lambda: eth.syncing)
    does("isConnected", web3.is_connected)
    does("accessList", lambda: eth.create_access_list({"from": richest, "to": probe, "data": calls["value"]}))
    does("proof", lambda: eth.get_proof(probe, ["0x" + "00" * 32], block["number"]))
    does("batch", balances)


def balances():
    with web3.batch_requests() as batch:
        for address in MANY:
            batch.add(eth.get_balance(checksummed(address)))
        return len(batch.execute())


def writes():
    web3.middleware_onion.inject(SignAndSendRawMiddlewareBuilder.build(account), layer=0)
    coins = {"from": account.address, "to": richest, "value": 1}
    does("sendAndWait", lambda: outcome(eth.send_transaction(coins)))
    does("transact", lambda: outcome(contract.functions.set(7).transact({"from": account.address})))
    does("pendingNonce", pending_nonce)
    does("filter", lambda: told_by(eth.filter("latest")))
    does("sendNonceTooLow", lambda: eth.send_transaction({**coins, "nonce": 0, "gas": 21_000}))
    does("sendTooPoor", sending("tooPoor"))
    does("sendTipAboveCap", sending("tipAboveCap"))
    does("blobTransactionRefused", sending("blob"))


def outcome(sent):
    receipt = eth.wait_for_transaction_receipt(sent, timeout=30, poll_latency=0.2)
    return {"status": receipt["status"], "gasUsed": receipt["gasUsed"]}


def pending_nonce():
    sent = eth.send_transaction({"from": account.address, "to": richest, "value": 1})
    nonce = eth.get_transaction_count(account.address, "pending")
    outcome(sent)
    return nonce


def told_by(new_blocks):
    outcome(eth.send_transaction({"from": account.address, "to": richest, "value": 1}))
    return len(new_blocks.get_new_entries())


assert CHAIN_ID == FACTS["chainId"]
reads()
writes()
