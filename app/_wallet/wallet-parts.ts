'use client'

import { createPart } from '../_ui/part.ts'

/** The sign-in step as a dialog. */
export const verifyPart = createPart(() => import('./verify-dialog.tsx'))
/** The RainbowKit modals. */
export const modalsPart = createPart(() => import('./rainbow-host.tsx'))
