import { icon } from './icon.ts'
import { createProvider } from './provider.ts'

/** Two wallets of the same account (EIP-6963): one carries out several calls as one, the other cannot. */
const wallets = [
  {
    name: 'Demo Wallet',
    rdns: 'dev.quorate.demo',
    uuid: '6d1c6d3e-0b5d-4f0c-9d3c-7f3a1d2b4c55',
    provider: createProvider({ key: 'demo-wallet', isAtomic: true }),
  },
  {
    name: 'One Call Wallet',
    rdns: 'dev.quorate.demo.single',
    uuid: '0b1f5c52-6c0e-4f6d-8f43-0a5a3a1c7d10',
    provider: createProvider({ key: 'demo-wallet-single', isAtomic: false }),
  },
].map(({ provider, uuid, ...info }) =>
  Object.freeze({
    info: Object.freeze({ uuid: crypto.randomUUID?.() ?? uuid, icon, ...info }),
    provider,
  }),
)

/** Announces them, now and on every request of a page. */
function announce(): void {
  for (const detail of wallets) window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}
window.addEventListener('eip6963:requestProvider', announce)
announce()
