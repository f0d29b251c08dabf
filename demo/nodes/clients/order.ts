type Json = Readonly<Record<string, unknown>>

/** Go writes the keys of a map in alphabetical order. */
export function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Sorts keys in this order; other keys come last. */
function inOrder(names: string): (object: Json) => Json {
  const order = new Map(names.split(' ').map((name, index) => [name, index]))
  const rankOf = (name: string) => order.get(name) ?? order.size
  return (object) =>
    Object.fromEntries(Object.entries(object).sort(([one], [other]) => rankOf(one) - rankOf(other)))
}

/** The key order of each client, from its sources. */
export const orders = {
  gethTransaction: inOrder(
    'blockHash blockNumber blockTimestamp from gas gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas hash input nonce to transactionIndex value type accessList chainId blobVersionedHashes authorizationList v r s yParity',
  ),
  gethLog: inOrder(
    'address topics data blockNumber transactionHash transactionIndex blockHash blockTimestamp logIndex removed',
  ),
  feeHistory: inOrder('oldestBlock reward baseFeePerGas gasUsedRatio baseFeePerBlobGas blobGasUsedRatio'),
  simulatedCall: inOrder('returnData logs gasUsed maxUsedGas status error'),
  nethermindBlock: inOrder(
    'author difficulty extraData gasLimit gasUsed hash logsBloom miner mixHash nonce number parentHash receiptsRoot sha3Uncles size stateRoot totalDifficulty timestamp baseFeePerGas transactions transactionsRoot uncles withdrawals withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash',
  ),
  nethermindTransaction: inOrder(
    'type nonce to gas value input gasPrice maxPriorityFeePerGas maxFeePerGas maxFeePerBlobGas accessList blobVersionedHashes authorizationList chainId yParity v r s hash transactionIndex blockHash blockNumber blockTimestamp from',
  ),
  nethermindReceipt: inOrder(
    'transactionHash transactionIndex blockHash blockNumber cumulativeGasUsed gasUsed blobGasUsed blobGasPrice effectiveGasPrice from to contractAddress logs logsBloom root status type',
  ),
  nethermindLog: inOrder(
    'address blockHash blockNumber data logIndex removed topics transactionHash transactionIndex transactionLogIndex',
  ),
  besuBlock: inOrder(
    'number hash mixHash parentHash nonce sha3Uncles logsBloom transactionsRoot stateRoot receiptsRoot miner difficulty totalDifficulty extraData baseFeePerGas size gasLimit gasUsed timestamp uncles transactions withdrawalsRoot withdrawals blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash',
  ),
  besuTransaction: inOrder(
    'accessList authorizationList blockHash blockNumber chainId from gas gasPrice maxPriorityFeePerGas maxFeePerGas maxFeePerBlobGas hash input nonce to transactionIndex type value yParity v r s blobVersionedHashes',
  ),
  besuReceipt: inOrder(
    'blockHash blockNumber contractAddress cumulativeGasUsed from gasUsed blobGasUsed effectiveGasPrice blobGasPrice logs logsBloom status root to transactionHash transactionIndex revertReason type',
  ),
  besuLog: inOrder(
    'logIndex removed blockNumber blockHash blockTimestamp transactionHash transactionIndex address data topics',
  ),
  rethBlock: inOrder(
    'hash parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash totalDifficulty size uncles transactions withdrawals',
  ),
  rethTransaction: inOrder(
    'type chainId nonce gas gasPrice maxFeePerGas maxPriorityFeePerGas to value accessList authorizationList input r s yParity v hash blockHash blockNumber transactionIndex from',
  ),
  rethReceipt: inOrder(
    'type status cumulativeGasUsed logs logsBloom transactionHash transactionIndex blockHash blockNumber gasUsed effectiveGasPrice blobGasPrice from to contractAddress',
  ),
  rethLog: inOrder(
    'address topics data blockHash blockNumber blockTimestamp transactionHash transactionIndex logIndex removed',
  ),
  rethFeeHistory: inOrder('baseFeePerGas gasUsedRatio baseFeePerBlobGas blobGasUsedRatio oldestBlock reward'),
}
