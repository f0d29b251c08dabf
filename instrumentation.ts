import type { Instrumentation } from 'next'

/** Runs once as Next starts, in either host: nothing is served with a faulty environment or configuration. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  // Next's spans of fetch carry whole URLs, and so keys.
  process.env.NEXT_OTEL_FETCH_DISABLED = '1'
  // Baggage is dropped: it is the caller's word, and nothing of it belongs in our traces.
  process.env.OTEL_PROPAGATORS = 'tracecontext'
  const { registerNode } = await import('#lib/host/edge/register-node.ts')
  await registerNode()
}

/** The log has the digest that the visitor of a failed page is shown. */
export const onRequestError: Instrumentation.onRequestError = async (error, _request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { notePageError } = await import('#lib/routes/page-errors.ts')
  notePageError(error, context)
}
