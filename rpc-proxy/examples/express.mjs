import express from 'express'
import { createHandler } from './gateway.mjs'

const handler = createHandler(JSON.parse(process.env.RPC_CONFIG))
const app = express()
app.use(express.text({ type: '*/*', limit: '1mb' }))
app.all('/api/rpc/:chain', async ({ method, url, headers, body }, response) => {
  const hasBody = method !== 'GET' && method !== 'HEAD' && typeof body === 'string'
  const request = new Request(`http://localhost${url}`, { method, headers, ...(hasBody && { body }) })
  const answer = await handler(request)
  response
    .status(answer.status)
    .set(Object.fromEntries(answer.headers))
    .send(await answer.text())
})
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
