import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createHandler } from './gateway.mjs'

const handler = createHandler(JSON.parse(process.env.RPC_CONFIG))
const app = new Hono()
app.all('/api/rpc/:chain', ({ req }) => handler(req.raw))
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' })
