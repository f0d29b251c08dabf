'use client'

import { visitorCookie } from '#lib/wallet/visitor.ts'
import { createPart } from '../_ui/part.ts'

/** wagmi, with the visitor's connection. */
export const sessionPart = createPart(() => import('./session.tsx'))
/** The sign-in step as a dialog. */
export const verifyPart = createPart(() => import('./verify-dialog.tsx'))
/** The RainbowKit modals. */
export const windowsPart = createPart(() => import('./rainbow-host.tsx'))

/** For the code of landing pages: a returning visitor needs the session before hydration. */
export function expectVisitor(): void {
  if (typeof document === 'object' && document.cookie.includes(`${visitorCookie}=`)) sessionPart.load()
}
