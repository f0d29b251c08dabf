/** Runs once as Next starts, in either host: nothing is served with a faulty environment or configuration. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  // Next's spans of fetch carry whole URLs, and so keys.
  process.env.NEXT_OTEL_FETCH_DISABLED = '1'
  // Baggage is dropped: it is the caller's word, and nothing of it belongs in our traces.
  process.env.OTEL_PROPAGATORS = 'tracecontext'
  const { registerNode } = await import('#lib/register-node.ts')
  await registerNode()
}
