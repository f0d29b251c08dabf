import { createServer } from 'node:http'
import { listenLocally } from './listen.ts'

/** The least that a server can do with a call: read it and answer a constant. */
const body = '{"jsonrpc":"2.0","id":1,"result":"0x10"}'
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})

listenLocally(server)
