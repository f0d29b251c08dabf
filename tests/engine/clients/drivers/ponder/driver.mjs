import { deepStrictEqual } from 'node:assert'
import { startCounting } from '../support/counting.mjs'
import { describedPlain, succeeds, url } from '../support/steps.mjs'
import { askChain, setNode, transfers, truth } from './chain.mjs'
import { startPonder } from './indexer.mjs'

const pace = { msBetween: 250 }
const step = (name, act) => succeeds(name, act, describedPlain)

const counting = await startCounting(url)
await transfers(200)
const ponder = await startPonder(counting.url)
try {
  await step('backfill', async () => {
    let thrown
    // Over a socket it goes on when it hears of a block, and hears of none while it catches up.
    for (let turn = 0; turn < 40; turn++) {
      await transfers(1)
      try {
        return await rows({ withinMs: 3_000 })
      } catch (error) {
        thrown = error
      }
    }
    throw thrown
  })
  await step('live, a block every 0.25 s', () => transfers(100, pace).then(rows))
  await step('a reorganisation of 3 blocks', async () => {
    await askChain('anvil_reorg', [3, []])
    await transfers(10, pace)
    return rows()
  })
  await step('a node hangs', async () => {
    await setNode('reth', 'hanging')
    await transfers(20, pace)
    return rows()
  })
  await step('refused requests', () => counting.refused)
  console.error(`${counting.requests()} requests`)
} finally {
  await ponder.stop()
  counting.stop()
}

/** The indexed rows must match the chain. */
async function rows({ withinMs = 60_000 } = {}) {
  const { hash } = await askChain('eth_getBlockByNumber', ['latest', false])
  await ponder.indexed(hash, withinMs)
  const { blocks, transfers: found } = await ponder.rows()
  deepStrictEqual({ blocks, transfers: found.map(({ id, ...row }) => row) }, await truth())
  return 'as the chain'
}
