'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { replayPress } from '#lib/page/early-press.ts'
import { createFigures } from '#lib/page/format.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { forgetVisitor } from '#lib/wallet/visitor.ts'
import { isFramed } from '../_ui/is-framed.ts'
import { usePart } from '../_ui/part.ts'
import type { ModalRequest, WalletFacts } from './facts.ts'
import { listedPart } from './listed-part.ts'
import { sessionPart, windowsPart } from './parts.ts'
import type { Told } from './session.tsx'
import { type Wallet, WalletContext } from './wallet.ts'

/**
 * Provides the wallet state: from the cookie at first, then from wagmi, whose code is loaded when the page or the visitor
 * needs it.
 */
export function Providers(props: { facts: WalletFacts; children: React.ReactNode }) {
  // Later values from the server apply from the next page load on.
  const [facts] = useState(props.facts)
  const session = usePart(sessionPart)
  const windows = usePart(windowsPart)
  const listed = usePart(listedPart)
  const [told, setTold] = useState<Told>(() => remembered(facts))
  const [modalRequest, setModalRequest] = useState<ModalRequest | null>(null)
  const [openedTurn, setOpenedTurn] = useState(0)

  const prepare = useCallback(() => {
    sessionPart.load()
    windowsPart.load()
    if (!facts.demo) listedPart.load()
  }, [facts])
  const open = useCallback(
    (view: ModalRequest['view']) => {
      prepare()
      setModalRequest((last) => ({ view, turn: (last?.turn ?? 0) + 1 }))
    },
    [prepare],
  )
  useEffect(() => {
    // The server did not accept the cookie.
    if (!facts.visitor) forgetVisitor()
    replayPress()
  }, [facts])

  const welcome = useCallback(() => {
    // In a frame the host may be Safe, which provides its account.
    if (facts.visitor || isFramed()) sessionPart.load()
    else whenIdle(prepare)
  }, [facts, prepare])

  const pending = modalRequest !== null && modalRequest.turn > openedTurn
  const failed = [session, windows, listed].some(({ name }) => name === 'failed')
  const { phase, address, chainId, config, press, problem } = told
  // A failed preload is not reported.
  const missed = pending ? failed : session.name === 'failed' && phase === 'returning'
  const wallet = useMemo<Wallet>(
    () => ({
      phase,
      address,
      chainId,
      config,
      name: address === facts.visitor?.address ? facts.visitor?.name : undefined,
      chain: facts.chains.find(({ id }) => id === chainId),
      chains: facts.chains,
      gateway: facts.gateway,
      isSignedIn: facts.signedIn !== null,
      figures: createFigures(facts.numberMarks),
      problem: missed ? { text: accountTexts.failed, retry: prepare } : problem,
      opening: pending && !missed ? modalRequest.view : null,
      prepare,
      open: press ?? open,
      welcome,
    }),
    [
      phase,
      address,
      chainId,
      config,
      press,
      problem,
      facts,
      pending,
      missed,
      modalRequest,
      prepare,
      open,
      welcome,
    ],
  )

  return (
    <WalletContext value={wallet}>
      {props.children}
      {session.module && (
        <session.module.Session
          facts={facts}
          modalRequest={modalRequest}
          windows={windows.module}
          tell={setTold}
          open={open}
          withdraw={setModalRequest}
          opened={setOpenedTurn}
        />
      )}
    </WalletContext>
  )
}

/** Calls back once the page is loaded and idle; never with data saving on. */
function whenIdle(call: () => void): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  const wait = () => ('requestIdleCallback' in window ? requestIdleCallback : setTimeout)(call)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}

/** The state from the cookie, until wagmi is loaded. */
function remembered({ visitor }: WalletFacts): Told {
  return {
    phase: visitor ? 'returning' : 'none',
    address: visitor?.address,
    chainId: visitor?.chainId,
    config: null,
    press: null,
    problem: null,
  }
}
