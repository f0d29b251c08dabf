/** Reports an error of a page to our own log, without anything of the visitor, and returns the id that the log has. */
export function reportError(error: unknown): string {
  const id = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).toString(36)
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: '' }
  const at = stack?.match(/\/_next\/static\/[^\s)]+:\d+:\d+/)?.[0] ?? null
  void fetch('/api/rpc/page-errors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, route: location.pathname, error: name, at }),
    keepalive: true,
  }).catch(() => {})
  return id
}
