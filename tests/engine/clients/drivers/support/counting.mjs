import { createServer } from 'node:http'

/**
 * Forwards every request and counts refusals, which clients with automatic retries hide.
 *
 * @param {string} target
 */
export async function startCounting(target) {
  const refused = /** @type {Record<string, number>} */ ({})
  let requests = 0
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { status, headers, text } = await passedOn(target, Buffer.concat(chunks))
    requests += 1
    if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
    response.writeHead(status, headers).end(text)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    refused,
    requests: () => requests,
    stop: () => server.close().closeAllConnections(),
  }
}

/** @param {string} target @param {Buffer} body */
async function passedOn(target, body) {
  const answer = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const retryAfter = answer.headers.get('retry-after')
  const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) }
  return { status: answer.status, headers, text: await answer.text() }
}
