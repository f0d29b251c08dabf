import { createHandler } from './gateway.mjs'

Deno.serve(
  { port: Number(Deno.env.get('PORT') ?? 3000), hostname: '127.0.0.1' },
  createHandler(JSON.parse(Deno.env.get('RPC_CONFIG'))),
)
