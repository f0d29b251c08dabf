import { lazyCode } from '../_ui/lazy-code.ts'

/** The wallets of our own list. */
export const listedCode = lazyCode('listed', () => import('#lib/wallet/listed.ts'))
