export const runtime = 'edge'

/** The least that an edge route can do with a call: read it and answer a constant. */
export async function POST(request: Request): Promise<Response> {
  await request.text()
  return new Response('{"jsonrpc":"2.0","id":1,"result":"0x10"}', {
    headers: { 'content-type': 'application/json' },
  })
}
