import type { Config, Connector } from 'wagmi'
import { formatName } from '#lib/page/format.ts'
import { addConnector } from './add-connector.ts'
import { announcedConnector } from './announced-connector.ts'
import { guarded } from './injected.ts'
import { announcedId, findListed } from './listed-id.ts'
import { read } from './untrusted.ts'
import type { AnnouncedWallet } from './wagmi-injected.ts'

/** Adds every wallet that announces itself to wagmi, once per rdns, if that is offered here. */
export function addAnnounced(config: Config, isOffered: (rdns: string) => boolean): void {
  const announcedIds = new Set<string>()
  window.addEventListener('eip6963:announceProvider', (event) => {
    const announced = toAnnounced(read(event, 'detail'))
    if (!announced || announcedIds.has(announced.rdns)) return
    const { rdns, ...details } = announced
    announcedIds.add(rdns)
    if (!isOffered(rdns)) return
    const wallet = { ...details, id: announcedId(rdns) }
    addConnector(config, announcedConnector(isPhone() ? { ...wallet, rkDetails: detailsOf(wallet) } : wallet))
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
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

/** What an EIP-6963 announcement says. Each member is read once, because a getter may return something else the next time. */
function toAnnounced(detail: unknown) {
  const info = read(detail, 'info')
  const [rdns, name, icon] = ['rdns', 'name', 'icon'].map((member) => read(info, member))
  const provider = guarded(read(detail, 'provider'))
  if (!provider || typeof rdns !== 'string' || typeof name !== 'string') return undefined
  const isFit = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= iconCharsMax
  return { rdns, name: formatName(name, nameCharsMax), icon: isFit ? icon : initialIcon(name), provider }
}

const iconCharsMax = 200_000
/** What one row of the list has place for. */
const nameCharsMax = 20

/** The initial of a wallet whose own icon cannot be shown: an address of elsewhere would be asked for it. */
function initialIcon(name: string): string {
  const initial = encodeURIComponent(/[\p{L}\p{Nd}]/u.exec(name)?.[0].toUpperCase() ?? '?')
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28'%3E%3Cpath fill='%23665e4e' d='M0 0h28v28H0z'/%3E%3Ctext x='14' y='20' fill='%23fff' font-family='sans-serif' font-size='16' text-anchor='middle'%3E${initial}%3C/text%3E%3C/svg%3E`
}
