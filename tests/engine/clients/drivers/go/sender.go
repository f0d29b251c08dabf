package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
)

// Sender signs and sends transactions with its own key.
type Sender struct {
	client  *ethclient.Client
	chainID *big.Int
	key     *ecdsa.PrivateKey
	address common.Address
	facts   Facts
}

func newSender(client *ethclient.Client, facts Facts) (*Sender, error) {
	key, err := crypto.HexToECDSA(strings.TrimPrefix(os.Getenv("PRIVATE_KEY"), "0x"))
	if err != nil {
		return nil, err
	}
	chainID, _ := new(big.Int).SetString(os.Getenv("CHAIN_ID"), 10)
	return &Sender{client, chainID, key, crypto.PubkeyToAddress(key.PublicKey), facts}, nil
}

// coins sends 1 wei with the fees that the node suggests; a nil nonce takes the next nonce.
func (sender *Sender) coins(ctx context.Context, nonce *uint64) (*types.Transaction, error) {
	client, to := sender.client, sender.facts.Richest
	if nonce == nil {
		next, err := client.PendingNonceAt(ctx, sender.address)
		if err != nil {
			return nil, err
		}
		nonce = &next
	}
	tip, err := client.SuggestGasTipCap(ctx)
	if err != nil {
		return nil, err
	}
	head, err := client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, err
	}
	cap := new(big.Int).Add(tip, new(big.Int).Mul(head.BaseFee, big.NewInt(2)))
	gas, err := client.EstimateGas(ctx, ethereum.CallMsg{From: sender.address, To: &to, Value: big.NewInt(1)})
	if err != nil {
		return nil, err
	}
	signed, err := types.SignNewTx(sender.key, types.LatestSignerForChainID(sender.chainID), &types.DynamicFeeTx{
		ChainID: sender.chainID, Nonce: *nonce, GasTipCap: tip, GasFeeCap: cap, Gas: gas, To: &to, Value: big.NewInt(1),
	})
	if err != nil {
		return nil, err
	}
	return signed, client.SendTransaction(ctx, signed)
}

// raw sends a presigned transaction.
func (sender *Sender) raw(ctx context.Context, name string) (common.Hash, error) {
	var transaction types.Transaction
	if err := transaction.UnmarshalBinary(sender.facts.Raw[name]); err != nil {
		return common.Hash{}, err
	}
	return transaction.Hash(), sender.client.SendTransaction(ctx, &transaction)
}

type mined struct {
	Status          uint64
	GasUsed         uint64
	ContractAddress common.Address
}

func (sender *Sender) wait(transaction *types.Transaction, err error) (mined, error) {
	if err != nil {
		return mined{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	receipt, err := bind.WaitMined(ctx, sender.client, transaction)
	if err != nil {
		return mined{}, err
	}
	return mined{receipt.Status, receipt.GasUsed, receipt.ContractAddress}, nil
}

// deploy deploys a contract like abigen's bindings, which estimate on the pending state.
func (sender *Sender) deploy() (mined, *bind.BoundContract, error) {
	parsed, err := abi.JSON(bytes.NewReader(sender.facts.ProbeAbi))
	if err != nil {
		return mined{}, nil, err
	}
	_, transaction, contract, err := bind.DeployContract(sender.options(), parsed, sender.facts.ProbeBytecode, sender.client)
	receipt, err := sender.wait(transaction, err)
	return receipt, contract, err
}

func (sender *Sender) options() *bind.TransactOpts {
	options, err := bind.NewKeyedTransactorWithChainID(sender.key, sender.chainID)
	if err != nil {
		panic(err)
	}
	return options
}
