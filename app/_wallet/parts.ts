'use client'

import { createPart } from '../_ui/part.ts'

/** wagmi, with the visitor's connection. */
export const sessionPart = createPart(() => import('./session.tsx'))
/** RainbowKit's windows. */
export const windowsPart = createPart(() => import('./rainbow-host.tsx'))
