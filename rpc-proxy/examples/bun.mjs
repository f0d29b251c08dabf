import { createHandler } from './gateway.mjs'

Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  hostname: '127.0.0.1',
  fetch: createHandler(JSON.parse(process.env.RPC_CONFIG)),
})
