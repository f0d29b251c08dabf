import type { Config, Connector } from 'wagmi'
import { formatName } from '#lib/page/format.ts'
import { addConnector } from './add-connector.ts'
import { announcedConnector } from './announced-connector.ts'
import { guarded, type InjectedProvider } from './injected.ts'
import { announcedId, findListed } from './listed-id.ts'
import { read } from './untrusted.ts'
import type { AnnouncedWallet } from './wagmi-injected.ts'

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
  const { name, icon } = info
  const wallet = { id: announcedId(info.rdns), name, icon, provider }
  return addConnector(
    config,
    announcedConnector(isPhone() ? { ...wallet, rkDetails: detailsOf(wallet) } : wallet),
  )
}

/** On phones RainbowKit lists only what has its details, so not the wallet whose browser the page is in. */
function detailsOf({ id, name, icon }: Pick<AnnouncedWallet, 'id' | 'name' | 'icon'>) {
  const group = { groupIndex: 0, groupName: 'Installed' }
  return { id, name, iconUrl: icon, iconBackground: '#fff', ...group, isRainbowKitConnector: true } as const
}

/** As RainbowKit decides which list it shows. */
function isPhone(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator
  return /android|iPhone|iPod|iPad/i.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1)
}

/** Each member is read once, because a getter may return something else the next time. */
function toAnnouncement(detail: unknown): Announcement | undefined {
  const info = read(detail, 'info')
  const [rdns, name, icon] = ['rdns', 'name', 'icon'].map((member) => read(info, member))
  const provider = guarded(read(detail, 'provider'))
  if (!provider || typeof rdns !== 'string' || typeof name !== 'string') return undefined
  const isFit = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= iconCharsMax
  return {
    info: { rdns, name: formatName(name, nameCharsMax), icon: isFit ? icon : initialIcon(name) },
    provider,
  }
}

const iconCharsMax = 200_000
/** What one row of the list has place for. */
const nameCharsMax = 20

/** The initial of a wallet whose own icon cannot be shown: an address of elsewhere would be asked for it. */
function initialIcon(name: string): string {
  const initial = encodeURIComponent(/[\p{L}\p{Nd}]/u.exec(name)?.[0].toUpperCase() ?? '?')
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28'%3E%3Cpath fill='%23665e4e' d='M0 0h28v28H0z'/%3E%3Ctext x='14' y='20' fill='%23fff' font-family='sans-serif' font-size='16' text-anchor='middle'%3E${initial}%3C/text%3E%3C/svg%3E`
}
