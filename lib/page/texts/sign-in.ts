import { site } from '#site'
import type { SignInReason } from '../../sign-in/reasons.ts'
import { sentence } from '../sentence.ts'

export const signInTexts = {
  title: 'Verify your account',
  text: 'Sign a message in your wallet to prove that this account is yours. It costs nothing and sends no transaction.',
  statement: site.statement,
  framed: 'Another site shows this page in a frame, where you cannot sign in. Open it in a tab of its own.',
  newTab: 'Open in a new tab',
  connectFirst: 'Connect the wallet of the account that you want to sign in with.',
  sign: 'Sign message',
  signing: 'Waiting for your wallet…',
  verifying: 'Verifying signature…',
  cancel: 'Cancel',
  cancelled: 'You declined the message in your wallet. You are not signed in.',
  preparing: 'Error preparing message, please retry!',
  signingFailed: 'Error signing message, please retry!',
  verifyingFailed: 'Error verifying signature, please retry!',
  failed: 'Oops, something went wrong!',
  notNow: 'Sign-in does not work right now',
  unavailable: 'This site cannot look up who is signed in. Your wallet is fine. Try again in a minute.',
  lost: 'You signed in, but this site did not keep your session. Signing in again may not help. Try again in a minute.',
  notLoaded: 'Signing in did not load. Check your connection and try again.',
} as const

/** Why a sign-in was refused, after the sentence that says that it was. */
export const signInReasons: Readonly<Record<SignInReason, string>> = {
  cookies: 'Your browser did not send this site’s cookie. Allow cookies for this site.',
  expired: 'The message has expired. Sign it within ten minutes.',
  used: 'This message was used before.',
  nonce: 'Other tabs of this site have asked for messages since. Use one tab.',
  clock: 'The message’s time is minutes away from the time of this site. Check the clock of your device.',
  account: 'Your wallet signed with another account. Select this account in your wallet.',
  signature: 'Your wallet did not return a valid signature.',
  site: 'The message was made for another address of this site. Open this page at its usual address.',
  chain: 'This site does not support your wallet’s network. Switch to another network.',
  format: 'Your wallet signed a different text.',
  'no-majority': 'The nodes do not agree about this wallet right now. Wait a moment.',
  store: 'Sign-in is not available right now. Wait a moment.',
  rate: 'Too many attempts. Wait a minute.',
  body: 'This site did not understand the signature that your wallet returned.',
  'foreign-origin': 'This page was opened at an address that this site does not use.',
  'no-origin': 'This site has no address set up for sign-in. Its operator must set one.',
}

export const sessionTexts = {
  title: 'Your account',
  signedIn: 'Signed in',
  address: 'Address',
  until: 'Signed in until',
  sessions: 'Where you are signed in',
  here: (device: string | null) => (device === null ? 'This browser' : `This browser, ${device}`),
  elsewhere: 'Another browser',
  times: (since: string, lastUsed: string) => sentence`Signed in ${since}, last used ${lastUsed}`,
  end: 'Sign out there',
  ended: 'Signed out there.',
  signOut: 'Sign out',
  loading: 'Loading…',
  notLoaded: 'The list did not load.',
  notEnded: 'That did not work. Check your connection and try again.',
} as const
