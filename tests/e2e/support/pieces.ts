import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../../support/listen.ts'

/** A browser paints 60 times a second. */
const betweenPiecesMs = 20

export interface Pieces {
  readonly url: string
  readonly close: () => void
}

/** In front of an app: its documents arrive tag by tag, so slowly that the browser paints after each. */
export async function serveInPieces(origin: string): Promise<Pieces> {
  const server = createServer(async (request, response) => {
    const { cookie = '', accept = '' } = request.headers
    const answer = await fetch(origin + request.url, { headers: { cookie, accept } })
    const type = answer.headers.get('content-type') ?? ''
    response.writeHead(answer.status, {
      'content-type': type,
      'content-security-policy': answer.headers.get('content-security-policy') ?? '',
    })
    if (!type.startsWith('text/html')) return response.end(Buffer.from(await answer.arrayBuffer()))
    for (const piece of piecesOf(await answer.text())) {
      response.write(piece)
      await pause(betweenPiecesMs)
    }
    return response.end()
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The head in one piece: nothing is painted before its end. Scripts stay whole. */
function piecesOf(html: string): readonly string[] {
  const body = html.indexOf('<body')
  const tags = html.slice(body).match(/<script[\s\S]*?<\/script>|<[^<]*/g) ?? []
  return [html.slice(0, body), ...tags]
}
