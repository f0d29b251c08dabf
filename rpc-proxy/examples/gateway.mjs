import { createGateway, parseConfig, platformSignal, SendFault, systemClock } from '@quorate/engine'

/** The network. Redirects are refused: they would make another node speak in the place of the one that was asked. */
async function send({ url, headers, body, signal, bytesMax }) {
  try {
    const init = { method: 'POST', headers, body, signal: platformSignal(signal), redirect: 'error' }
    const response = await fetch(url, init)
    const reply = new Uint8Array(await response.arrayBuffer())
    if (reply.length > bytesMax) throw new SendFault('too-large')
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: reply }
  } catch (cause) {
    if (cause instanceof SendFault) throw cause
    throw new SendFault(signal.aborted ? 'cancelled' : 'connection', { cause })
  }
}

/** A handler of Fetch requests to `/api/rpc/{chain id}`: the twenty lines that each host has in common. */
export function createHandler(config, variables = {}) {
  const ports = { clock: systemClock(), random: Math.random, send }
  const gateway = createGateway(parseConfig(config, variables), ports)
  return async (request) => {
    const { status, headers, body } = await gateway.handle({
      method: request.method,
      path: new URL(request.url).pathname,
      header: (name) => request.headers.get(name),
      async body(bytesMax) {
        const bytes = await request.arrayBuffer()
        return bytes.byteLength > bytesMax
          ? { fault: 'too-large' }
          : { text: new TextDecoder().decode(bytes) }
      },
      // The address of the caller, where a limit of calls per caller is wanted.
      caller: null,
      origin: null,
      signal: request.signal,
    })
    return new Response(status === 204 ? null : body, { status, headers })
  }
}
