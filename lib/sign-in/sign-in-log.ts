import type { LogWriter } from '../observe/line.ts'
import { createPseudonyms } from '../observe/pseudonym.ts'
import type { SignInReason } from './reasons.ts'

/** Logs what happened to an account's sessions, with a pseudonym for the account. */
export type SignInLog = (
  event: 'sign-in' | 'sign-in-refused' | 'sign-out' | 'session-revoked',
  message: string,
  account: string | null,
  reason?: SignInReason,
) => void

export function createSignInLog(log: LogWriter): SignInLog {
  const pseudonym = createPseudonyms()
  return (event, message, account, reason) =>
    log.write({
      level: event === 'sign-in-refused' ? 'warn' : 'info',
      event,
      message,
      fields: { account: account && pseudonym(account), ...(reason !== undefined && { reason }) },
    })
}
