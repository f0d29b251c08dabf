import { lazyCode } from '../_ui/lazy-code.ts'

/** The sign-in step as a dialog. */
export const verifyCode = lazyCode('verify', () => import('./verify-dialog.tsx'))
/** The list of wallets, the account and the networks. */
export const modalsCode = lazyCode('modals', () => import('./modals-host.tsx'))
/** The review of a transaction that a page asks for. */
export const reviewCode = lazyCode('review', () => import('../_send/review-dialog.tsx'))
