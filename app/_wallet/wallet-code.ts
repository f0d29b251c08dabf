'use client'

import { lazyCode } from '../_ui/lazy-code.ts'

/** The sign-in step as a dialog. */
export const verifyCode = lazyCode('verify', () => import('./verify-dialog.tsx'))
/** The RainbowKit modals. */
export const modalsCode = lazyCode('modals', () => import('./rainbow-host.tsx'))
/** The review of a transaction that a page asks for. */
export const reviewCode = lazyCode('review', () => import('../_send/review-dialog.tsx'))
