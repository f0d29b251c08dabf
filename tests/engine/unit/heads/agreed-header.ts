import type { Header } from '../../../../rpc-proxy/heads/head-views.ts'
import { emptyBloom, type Fork, hashOf } from '../../../support/scripted-chain.ts'

/** The header that a node shows. */
export const header = (number: number, fork: Fork | null = null): Header => ({
  number,
  hash: hashOf(number, fork),
  parentHash: hashOf(number - 1, fork),
  logsBloom: emptyBloom,
  gasLimit: 30_000_000,
  transactions: '',
  stateRoot: null,
  verified: null,
  timeMs: 1_700_000_000_000 + number * 2000,
})
