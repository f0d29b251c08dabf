'use client'

import { createPart } from '../_ui/part.ts'

/** The wallets of our own list. */
export const listedPart = createPart(() => import('#lib/wallet/listed.ts'))
