import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { NumberMarks } from '#lib/page/format.ts'
import type { Visitor } from '#lib/wallet/visitor.ts'

/** Data from the server for the wallet layer, once per page. */
export interface WalletFacts {
  readonly chains: readonly ChainFacts[]
  /** Base url of a remote gateway; empty if this site is the gateway. */
  readonly gateway: string
  readonly demo: boolean
  readonly walletConnectId: string
  readonly appName: string
  readonly numberMarks: NumberMarks
  /** The last connected visitor, from the cookie. */
  readonly visitor: Visitor | null
  /** Whether names can be typed in place of addresses, and accounts are shown by their names. */
  readonly hasNames: boolean
  /** Whether certificates are public (PUBLIC_EVIDENCE). */
  readonly hasEvidence: boolean
  /** There was a cookie, but not one of ours. */
  readonly isVisitorRefused: boolean
  /** The account of the session: its address, for a contract wallet followed by its chain (`0x…:137`). */
  readonly signedIn: string | null
}

/** A modal to open. `turn` distinguishes two requests for the same modal. */
export interface ModalRequest {
  readonly view: 'connect' | 'account' | 'chain'
  readonly turn: number
}

/** The props of the modals: list of wallets, account and networks. */
export interface WalletModalsProps {
  readonly facts: WalletFacts
  /** The modal to open, once for each turn. Null without one, and until the listed wallets are in wagmi. */
  readonly modalRequest: ModalRequest | null
  /** To be called with the turn of a request once its modal is open. */
  readonly opened: (turn: number) => void
}
