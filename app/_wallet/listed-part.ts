'use client'

import { createPart } from '../_ui/part.ts'

/** The wallets that we list ourselves. */
export const listedPart = createPart(() => import('#lib/wallet/listed.ts'))
