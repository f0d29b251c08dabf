/** Sends a second part once its reader has the first: the test asks with it. */
let go = () => {}

export async function GET(): Promise<Response> {
  const turn = new Promise<void>((resolve) => {
    go = resolve
  })
  const encoder = new TextEncoder()
  const stream = new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode('data: one\n\n'))
      await turn
      controller.enqueue(encoder.encode('data: two\n\n'))
      controller.close()
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}

export async function PUT(): Promise<Response> {
  go()
  return new Response()
}
