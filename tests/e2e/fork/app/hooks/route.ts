/** A web hook, outside of `/api/`. */
export async function POST(request: Request): Promise<Response> {
  return new Response(`taken: ${await request.text()}`, { status: 202 })
}
