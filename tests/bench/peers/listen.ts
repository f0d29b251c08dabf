import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free loopback port and says which, on standard output, for the benchmark that started us. */
export function listenLocally(server: Server): void {
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}

/** A server that answers each body with what `answer` makes of it. */
export function tellAnswers(answer: (text: string) => string | Promise<string>): void {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', async () => {
      const body = await answer(text)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    })
  })
  listenLocally(server)
}
