// All steps of tests/clients/README.md with go-ethereum's ethclient.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"os"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

var ctx = context.Background()

func main() {
	facts, err := readFacts()
	if err != nil {
		log.Fatal(err)
	}
	client, err := ethclient.Dial(os.Getenv("RPC_URL"))
	if err != nil {
		log.Fatal(err)
	}
	sender, err := newSender(client, facts)
	if err != nil {
		log.Fatal(err)
	}
	state(client, facts)
	calls(client, facts)
	chain(client, facts)
	writes(client, sender)
}

func state(client *ethclient.Client, facts Facts) {
	who := facts.Richest
	if os.Getenv("STEPS") != "" {
		who = facts.Stranger
	}
	above := big.NewInt(facts.Head + 1000)
	block := big.NewInt(facts.Block.Number)
	slot := common.Hash{}
	does("chainId", func() (*big.Int, error) { return client.ChainID(ctx) })
	does("blockNumber", func() (uint64, error) { return client.BlockNumber(ctx) })
	does("balance", func() (string, error) { return text(client.BalanceAt(ctx, who, nil)) })
	does("nonce", func() (uint64, error) { return client.NonceAt(ctx, facts.Richest, nil) })
	does("code", func() (hexutil.Bytes, error) { return client.CodeAt(ctx, facts.Token, nil) })
	does("storage", func() (hexutil.Bytes, error) { return client.StorageAt(ctx, facts.Probe, slot, nil) })
	does("stateAboveHead", func() (string, error) { return text(client.BalanceAt(ctx, facts.Richest, above)) })
	does("proof", func() (*gethclient.AccountResult, error) {
		return gethclient.New(client.Client()).GetProof(ctx, facts.Probe, []string{slot.Hex()}, block)
	})
	does("peerCount", func() (uint64, error) { return client.PeerCount(ctx) })
	does("networkId", func() (*big.Int, error) { return client.NetworkID(ctx) })
	does("syncing", func() (*ethereum.SyncProgress, error) { return client.SyncProgress(ctx) })
	does("unknownMethod", func() (any, error) {
		var result any
		return result, client.Client().CallContext(ctx, &result, "quorate_nothing")
	})
	does("batch", func() (int, error) { return balances(client) })
}

func calls(client *ethclient.Client, facts Facts) {
	asked := func(name string) ethereum.CallMsg {
		return ethereum.CallMsg{From: facts.Richest, To: &facts.Probe, Data: facts.Calls[name]}
	}
	call := func(step, name string) {
		does(step, func() (hexutil.Bytes, error) { return client.CallContract(ctx, asked(name), nil) })
	}
	call("call", "value")
	call("callReverts", "reverts")
	call("callPanics", "panics")
	call("callCustomError", "refuses")
	does("pendingCall", func() (hexutil.Bytes, error) { return client.PendingCallContract(ctx, asked("value")) })
	does("estimate", func() (uint64, error) {
		return client.EstimateGas(ctx, ethereum.CallMsg{From: facts.Richest, To: &facts.Stranger, Value: big.NewInt(1)})
	})
	does("estimateReverts", func() (uint64, error) { return client.EstimateGas(ctx, asked("reverts")) })
	does("estimateOutOfGas", func() (uint64, error) { return client.EstimateGas(ctx, asked("burns")) })
	does("accessList", func() (any, error) {
		list, gas, reason, err := gethclient.New(client.Client()).CreateAccessList(ctx, asked("value"))
		return map[string]any{"list": list, "gas": gas, "reason": reason}, err
	})
}

func chain(client *ethclient.Client, facts Facts) {
	number, above := big.NewInt(facts.Block.Number), big.NewInt(facts.Head+1000)
	does("blockByNumber", func() (*types.Header, error) { return client.HeaderByNumber(ctx, number) })
	does("blockByHash", func() (any, error) {
		block, err := client.BlockByHash(ctx, facts.Block.Hash)
		if err != nil {
			return nil, err
		}
		return map[string]any{"header": block.Header(), "transactions": block.Transactions()}, nil
	})
	does("finalized", func() (*types.Header, error) {
		return client.HeaderByNumber(ctx, big.NewInt(int64(rpc.FinalizedBlockNumber)))
	})
	does("blockAboveHead", func() (*types.Header, error) { return client.HeaderByNumber(ctx, above) })
	does("blockReceiptsAboveHead", func() ([]*types.Receipt, error) {
		return client.BlockReceipts(ctx, rpc.BlockNumberOrHashWithNumber(rpc.BlockNumber(above.Int64())))
	})
	does("transaction", func() (any, error) { return found(client.TransactionByHash(ctx, facts.Transfer)) })
	does("transactionMissing", func() (any, error) { return found(client.TransactionByHash(ctx, facts.Missing)) })
	does("receipt", func() (*types.Receipt, error) { return client.TransactionReceipt(ctx, facts.Transfer) })
	does("receiptMissing", func() (*types.Receipt, error) { return client.TransactionReceipt(ctx, facts.Missing) })
	logs := func(step string, from, to int64, of ...common.Address) {
		query := ethereum.FilterQuery{FromBlock: big.NewInt(from), ToBlock: big.NewInt(to), Addresses: of}
		does(step, func() ([]types.Log, error) { return client.FilterLogs(ctx, query) })
	}
	logs("logs", 0, facts.Head, facts.Token)
	logs("logsBeyondHead", facts.Head, facts.Head+1000)
	logs("logsInverted", facts.Head, 1)
	does("feeHistory", func() (*ethereum.FeeHistory, error) {
		return client.FeeHistory(ctx, 4, number, []float64{25, 75})
	})
	does("feeHistoryLong", func() (*ethereum.FeeHistory, error) { return client.FeeHistory(ctx, 1025, nil, nil) })
	does("logsUnknownBlock", func() ([]types.Log, error) {
		return client.FilterLogs(ctx, ethereum.FilterQuery{BlockHash: &facts.Missing})
	})
	does("gasPrice", func() (*big.Int, error) { return client.SuggestGasPrice(ctx) })
	does("priorityFee", func() (*big.Int, error) { return client.SuggestGasTipCap(ctx) })
	does("blobBaseFee", func() (*big.Int, error) { return client.BlobBaseFee(ctx) })
}

func writes(client *ethclient.Client, sender *Sender) {
	does("sendAndWait", func() (mined, error) { return sender.wait(sender.coins(ctx, nil)) })
	var contract *bind.BoundContract
	does("deploy", func() (receipt mined, err error) {
		receipt, contract, err = sender.deploy()
		return receipt, err
	})
	does("transact", func() (mined, error) {
		return sender.wait(contract.Transact(sender.options(), "set", big.NewInt(7)))
	})
	does("pendingNonce", func() (nonce uint64, err error) {
		transaction, err := sender.coins(ctx, nil)
		if err != nil {
			return 0, err
		}
		if nonce, err = client.PendingNonceAt(ctx, sender.address); err != nil {
			return 0, err
		}
		_, err = sender.wait(transaction, nil)
		return nonce, err
	})
	raw := func(step, name string) {
		does(step, func() (common.Hash, error) { return sender.raw(ctx, name) })
	}
	raw("sendNonceTooLow", "nonceTooLow")
	raw("sendTooPoor", "tooPoor")
	raw("sendTipAboveCap", "tipAboveCap")
	raw("blobTransactionRefused", "blob")
}

// balances asks for 150 balances in one batch.
func balances(client *ethclient.Client) (int, error) {
	batch := make([]rpc.BatchElem, 150)
	for index := range batch {
		who := fmt.Sprintf("0x%s%038x", "d0", index+1)
		batch[index] = rpc.BatchElem{Method: "eth_getBalance", Args: []any{who, "latest"}, Result: new(hexutil.Big)}
	}
	if err := client.Client().BatchCallContext(ctx, batch); err != nil {
		return 0, err
	}
	for _, each := range batch {
		if each.Error != nil {
			return 0, each.Error
		}
	}
	return len(batch), nil
}

func found(transaction *types.Transaction, pending bool, err error) (any, error) {
	return map[string]any{"transaction": transaction, "pending": pending}, err
}

func text(number *big.Int, err error) (string, error) {
	return fmt.Sprint(number), err
}
