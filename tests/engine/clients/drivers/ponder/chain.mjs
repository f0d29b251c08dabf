import { ask, facts } from '../support/steps.mjs'

const { chainUrl, controlUrl, richest, stranger, token } = facts

/** Calls the chain directly. */
export const askChain = (method, params) => ask(chainUrl, method, params)

/** Changes the fault profile of a gateway node; does nothing without a gateway. */
export async function setNode(node, faultProfile) {
  if (controlUrl === null) return
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ node, faultProfile })
  const answer = await fetch(controlUrl, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

let value = 0

/** Mines blocks with one transfer each, equal on every chain, every `msBetween`. */
export async function transfers(count, { msBetween = 0 } = {}) {
  for (let block = 0; block < count; block++) {
    value += 1
    const data = `0xa9059cbb${stranger.slice(2).padStart(64, '0')}${value.toString(16).padStart(64, '0')}`
    const sent = { from: richest, to: token, data, gas: '0x186a0', gasPrice: '0x77359400' }
    const hash = await askChain('eth_sendTransaction', [sent])
    while ((await askChain('eth_getTransactionReceipt', [hash])) === null);
    if (msBetween > 0) await new Promise((resolve) => setTimeout(resolve, msBetween))
  }
}

/** The rows that an indexer of this chain must have by now. */
export async function truth() {
  const head = Number(await askChain('eth_blockNumber'))
  const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`)
  const blocks = await Promise.all(numbers.map((number) => askChain('eth_getBlockByNumber', [number, false])))
  const logs = await askChain('eth_getLogs', [
    { address: token, topics: [facts.transferTopic], fromBlock: '0x0', toBlock: 'latest' },
  ])
  return {
    blocks: blocks.map(({ number, hash, timestamp }) => ({
      number: Number(number),
      hash,
      timestamp: Number(timestamp),
    })),
    transfers: logs.map(({ blockNumber, topics, data }) => ({
      block: Number(blockNumber),
      from: `0x${topics[1].slice(26)}`,
      to: `0x${topics[2].slice(26)}`,
      value: Number(data),
    })),
  }
}
