import { icon } from './icon.ts'
import { createProvider } from './provider.ts'

/** Announces the demo wallet (EIP-6963), now and on every request of a page. */
const detail = Object.freeze({
  info: Object.freeze({
    uuid: crypto.randomUUID?.() ?? '6d1c6d3e-0b5d-4f0c-9d3c-7f3a1d2b4c55',
    name: 'Demo Wallet',
    icon,
    rdns: 'dev.quorate.demo',
  }),
  provider: createProvider(),
})

const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
window.addEventListener('eip6963:requestProvider', announce)
announce()
