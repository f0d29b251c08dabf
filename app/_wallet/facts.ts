import type { ChainFacts } from '#lib/chains.ts'
import type { NumberMarks } from '#lib/page/format.ts'
import type { Visitor } from '#lib/wallet/visitor.ts'

/** What the server tells the wallet layer, once for each page. */
export interface WalletFacts {
  readonly chains: readonly ChainFacts[]
  /** Base of a gateway elsewhere; empty when this site answers itself. */
  readonly gateway: string
  readonly demo: boolean
  readonly walletConnectId: string
  readonly appName: string
  readonly numberMarks: NumberMarks
  /** Who was connected last time, as our cookie says. */
  readonly visitor: Visitor | null
  /** Who has signed in, as the server knows it. */
  readonly signedIn: SignedInAs | null
}

/** The account that has signed in. */
export interface SignedInAs {
  readonly address: string
  /** The chain of a contract wallet; null for an account with a key, which is the same on every chain. */
  readonly contractOn: number | null
}

/** A window of RainbowKit's to open; `turn` tells two wishes for the same window apart. */
export interface ModalRequest {
  readonly view: 'connect' | 'account' | 'chain'
  readonly turn: number
}
