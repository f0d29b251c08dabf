/** What one tab ends for all tabs of this site. */
export type TabMessage = 'disconnected' | 'signed-out'

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('quorate.tabs') : undefined

export function tellTabs(ended: TabMessage): void {
  channel?.postMessage(ended)
}

/** Calls back with what another tab has ended, and with null when this tab comes to the front: it may have missed something. */
export function watchTabs(look: (ended: TabMessage | null) => void): () => void {
  const hear = ({ data }: MessageEvent<TabMessage>) => look(data)
  const show = () => {
    if (document.visibilityState === 'visible') look(null)
  }
  channel?.addEventListener('message', hear)
  document.addEventListener('visibilitychange', show)
  addEventListener('pageshow', show)
  return () => {
    channel?.removeEventListener('message', hear)
    document.removeEventListener('visibilitychange', show)
    removeEventListener('pageshow', show)
  }
}
