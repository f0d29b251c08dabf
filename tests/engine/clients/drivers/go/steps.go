package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

// Facts are the facts about the chain for drivers: runner/facts.ts.
type Facts struct {
	Richest, Stranger, Token, Probe common.Address
	ProbeAbi                        json.RawMessage
	ProbeBytecode                   hexutil.Bytes
	Calls                           map[string]hexutil.Bytes
	Head                            int64
	Block                           struct {
		Number int64
		Hash   common.Hash
	}
	Transfer, Missing common.Hash
	Raw               map[string]hexutil.Bytes
}

func readFacts() (facts Facts, err error) {
	text, err := os.ReadFile(os.Getenv("FACTS"))
	if err != nil {
		return facts, err
	}
	return facts, json.Unmarshal(text, &facts)
}

type problem struct {
	Type    string `json:"type"`
	Code    any    `json:"code"`
	Message string `json:"message"`
}

type line struct {
	Step  string   `json:"step"`
	Ok    bool     `json:"ok"`
	Value any      `json:"value,omitempty"`
	Error *problem `json:"error,omitempty"`
}

// does runs one step and prints its result.
func does[Value any](step string, act func() (Value, error)) {
	if wanted := os.Getenv("STEPS"); wanted != "" && !slices.Contains(strings.Split(wanted, ","), step) {
		return
	}
	told := line{Step: step, Ok: true}
	if value, err := act(); err != nil {
		told = line{Step: step, Error: described(err)}
	} else {
		told.Value = value
	}
	text, err := json.Marshal(told)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// described extracts what users of ethclient read: rpc.Error has the code, rpc.DataError the data.
func described(err error) *problem {
	told := &problem{Type: fmt.Sprintf("%T", err), Message: err.Error()}
	var coded rpc.Error
	if errors.As(err, &coded) {
		told.Code = coded.ErrorCode()
	}
	var http rpc.HTTPError
	if errors.As(err, &http) {
		told.Code = http.StatusCode
	}
	var withData rpc.DataError
	if errors.As(err, &withData) {
		// Non-text data contains an answer id, which differs in each run.
		if data, isText := withData.ErrorData().(string); isText {
			told.Message += fmt.Sprintf(" (data %s)", data)
		}
	}
	return told
}
