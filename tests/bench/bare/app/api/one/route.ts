/** What most apps have: a route that hands the call to one node and believes it. */
export async function POST(request: Request): Promise<Response> {
  const answer = await fetch(process.env.BENCH_NODE ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: await request.text(),
    cache: 'no-store',
  })
  return new Response(await answer.text(), { headers: { 'content-type': 'application/json' } })
}
