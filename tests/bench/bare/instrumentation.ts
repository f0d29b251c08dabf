/** One of its own: without it, Next takes that of the folder above, which is ours. Quiet as ours is, since printing stack traces takes time. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs')
    (await import('../../../lib/host/edge/next-start.ts')).quietAborted()
}
