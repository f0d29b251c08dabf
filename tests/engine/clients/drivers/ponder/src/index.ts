import { ponder } from 'ponder:registry'
import { block, transfer } from 'ponder:schema'

ponder.on('Block:block', async ({ event, context }) => {
  const { number, hash, timestamp } = event.block
  await context.db.insert(block).values({ number, hash, timestamp })
})

ponder.on('Token:Transfer', async ({ event, context }) => {
  const { from, to, value } = event.args
  await context.db.insert(transfer).values({ id: event.id, block: event.block.number, from, to, value })
})
