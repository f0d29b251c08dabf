import { db } from 'ponder:api'
import { block, transfer } from 'ponder:schema'
import { Hono } from 'hono'
import { desc } from 'ponder'

const app = new Hono()
const plain = (rows: readonly object[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
    ),
  )

app.get('/head', async (context) =>
  context.json(plain(await db.select().from(block).orderBy(desc(block.number)).limit(1))),
)
app.get('/rows', async (context) =>
  context.json({
    blocks: plain(await db.select().from(block).orderBy(block.number)),
    transfers: plain(await db.select().from(transfer).orderBy(transfer.block, transfer.id)),
  }),
)

export default app
