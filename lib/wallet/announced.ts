import { type Config, type Connector, injected } from 'wagmi'
import { addConnector } from './add-connector.ts'
import { guarded, type InjectedProvider } from './injected.ts'
import { announcedId, findListed } from './listed-id.ts'
import { read } from './untrusted.ts'

/** An EIP-6963 announcement. */
export interface Announcement {
  readonly info: {
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: InjectedProvider
}

/** Calls back once per rdns for every wallet that announces itself. Returns a function that stops it. */
export function onAnnounced(tell: (announcement: Announcement) => void): () => void {
  const announcedIds = new Set<string>()
  const hear = (event: Event) => {
    const announcement = toAnnouncement(read(event, 'detail'))
    if (!announcement || announcedIds.has(announcement.info.rdns)) return
    announcedIds.add(announcement.info.rdns)
    tell(announcement)
  }
  window.addEventListener('eip6963:announceProvider', hear)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', hear)
}

/** Resolves when a wallet is listed under this id, which may be never. */
export function whenListed(config: Config, id: string): Promise<Connector> {
  return new Promise((resolve) => {
    const check = () => {
      const connector = findListed(config, id)
      if (connector) resolve(connector)
    }
    config._internal.connectors.subscribe(check)
    check()
  })
}

/** Adds the wallet to wagmi and returns its connector. */
export function addAnnounced(config: Config, { info, provider }: Announcement): Connector {
  const target = { id: announcedId(info.rdns), name: info.name, icon: info.icon as `data:image/${string}` }
  return addConnector(config, injected({ target: { ...target, provider: provider as never } }))
}

/** Each member is read once, because a getter may return something else the next time. */
function toAnnouncement(detail: unknown): Announcement | undefined {
  const info = read(detail, 'info')
  const [rdns, name, icon] = ['rdns', 'name', 'icon'].map((member) => read(info, member))
  const provider = guarded(read(detail, 'provider'))
  if (typeof rdns !== 'string' || typeof name !== 'string' || typeof icon !== 'string') return undefined
  return provider && icon.startsWith('data:image/') ? { info: { rdns, name, icon }, provider } : undefined
}
