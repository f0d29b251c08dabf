'use client'

import { visitorCookie } from '#lib/wallet/visitor.ts'
import { createPart } from '../_ui/part.ts'

/** wagmi, with the visitor's connection. */
export const sessionPart = createPart(() => import('./session.tsx'))
/** The sign-in step as a dialog. */
export const verifyPart = createPart(() => import('./verify-dialog.tsx'))
/** RainbowKit's windows. */
export const windowsPart = createPart(() => import('./rainbow-host.tsx'))

/** For the code of a page that welcomes visitors: one who comes back needs the session before the page is hydrated. */
export function expectVisitor(): void {
  if (typeof document === 'object' && document.cookie.includes(`${visitorCookie}=`)) sessionPart.load()
}
