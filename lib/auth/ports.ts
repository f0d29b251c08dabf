import { post } from '../engine-reads.ts'
import { randomHex } from '../random-hex.ts'
import type { AskMajority } from './contract.ts'

/** A contract wallet's verdict must be there by then: the engine's own deadline is shorter. */
const askMsMax = 10_000

/** Asks this app's gateway for one caller, who pays for it as for any other read. */
export function askMajority(caller: string | null): AskMajority {
  return (chainId, body) =>
    post(chainId, body, { caller, majority: true, signal: AbortSignal.timeout(askMsMax) }).catch(() => '')
}

/** Seals cookies where no secret is configured: they are good for this process alone. */
export const randomSecret = () => randomHex(32)
