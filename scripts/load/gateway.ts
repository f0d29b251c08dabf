/** What the gateway itself counts, read before and after a run; null without its operator's token. */
export async function readRequests(
  origin: string,
): Promise<{ readonly requests: number; readonly calls: number } | null> {
  const token = process.env.OPERATOR_TOKEN
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/rpc/metrics`, { headers }).catch(() => null)
  if (response?.status !== 200) return null
  const text = await response.text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  return { requests: sum('quorate_requests_per_call_sum'), calls: sum('quorate_requests_per_call_count') }
}

interface Listed {
  readonly nodes: readonly {
    readonly chain?: number
    readonly name: string
    readonly faultProfile: unknown
  }[]
}

/** Gives nodes of the local chains a fault profile, by their control port: those of one name, or all. Returns what undoes it. */
export async function setFault(
  controlUrl: string,
  faultProfile: string,
  name: string | null,
): Promise<() => Promise<void>> {
  const { nodes } = (await (await fetch(controlUrl)).json()) as Listed
  const chosen = nodes.filter((node) => name === null || node.name === name)
  if (chosen.length === 0) throw new Error(`no node ${name} at ${controlUrl}`)
  const give = async (node: Listed['nodes'][number], wanted: unknown) => {
    const response = await fetch(controlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain: node.chain, node: node.name, faultProfile: wanted }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  await Promise.all(chosen.map((node) => give(node, faultProfile)))
  return async () => void (await Promise.all(chosen.map((node) => give(node, node.faultProfile))))
}
