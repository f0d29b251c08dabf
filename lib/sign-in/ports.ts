import { post } from '../engine/engine-reads.ts'
import { randomHex } from '../random-hex.ts'
import type { AskMajority } from './contract.ts'

/** The engine's own deadline is shorter. */
const askMsMax = 10_000

/** Asks this app's gateway, on the budget of one caller. */
export function askMajority(caller: string | null): AskMajority {
  return (chainId, body) =>
    post(chainId, body, { caller, majority: true, signal: AbortSignal.timeout(askMsMax) }).catch(() => '')
}

/** Used when no secret is configured: cookies are then valid for this process only. */
export const randomSecret = () => randomHex(32)
