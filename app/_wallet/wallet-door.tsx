'use client'

import { type ComponentType, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useConfig } from 'wagmi'
import { createFigures } from '#lib/page/format.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import type { CameBack } from '#lib/wallet/come-back.ts'
import type { WalletFacts, Wish } from './facts.ts'
import type { RainbowHostProps } from './rainbow-host.tsx'
import { useConnection } from './use-connection.ts'
import { useReturn } from './use-return.ts'
import { type Phase, type Wallet, WalletContext } from './wallet.ts'

/** Knows where the visitor stands, and opens RainbowKit's windows beside the page, loading them on the first sign of intent. */
export function WalletDoor({ facts, children }: { facts: WalletFacts; children: React.ReactNode }) {
  const config = useConfig()
  const { address, chainId, status } = useConnection()
  const { came, unlock, retry, giveUp } = useReturn(facts)
  const [Host, setHost] = useState<ComponentType<RainbowHostProps> | null>(null)
  const [wish, setWish] = useState<Wish | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const loading = useRef<Promise<void>>(undefined)

  const prepare = useCallback(() => {
    loading.current ??= import('./rainbow-host.tsx').then(
      ({ RainbowHost }) => setHost(() => RainbowHost),
      () => {
        loading.current = undefined
        setProblem(accountTexts.failed)
      },
    )
  }, [])
  const open = useCallback(
    (view: Wish['view']) => {
      setProblem(null)
      prepare()
      setWish((last) => ({ view, turn: (last?.turn ?? 0) + 1 }))
    },
    [prepare],
  )
  const startAnew = useCallback(() => {
    giveUp()
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
    open('connect')
  }, [config, open, giveUp])
  const reconnect = useCallback(
    () => void retry().then((how) => how === 'late' && startAnew()),
    [retry, startAnew],
  )
  const ask = useCallback(() => void unlock().catch(startAnew), [unlock, startAnew])

  const phase = phaseOf(status, address !== undefined, came)
  useEffect(() => {
    if (phase === 'locked') setWish(null)
  }, [phase])
  const wallet = useMemo<Wallet>(
    () => ({
      phase,
      address,
      name: address === facts.visitor?.address ? facts.visitor?.name : undefined,
      chainId,
      chain: facts.chains.find(({ id }) => id === chainId),
      chains: facts.chains,
      gateway: facts.gateway,
      figures: createFigures(facts.numberMarks),
      problem,
      prepare,
      open: phase === 'locked' ? ask : phase === 'late' ? reconnect : open,
    }),
    [phase, address, chainId, facts, problem, prepare, open, reconnect, ask],
  )

  return (
    <WalletContext value={wallet}>
      {children}
      {/* A window that is open says things of a wallet that is locked by now: its host starts anew. */}
      {Host && <Host key={phase === 'locked' ? 'locked' : 'open'} wish={wish} facts={facts} />}
    </WalletContext>
  )
}

function phaseOf(status: string, known: boolean, came: CameBack | null): Phase {
  if (status === 'connected') return 'connected'
  if (status === 'reconnecting' && known) return came === 'late' || came === 'locked' ? came : 'returning'
  return status === 'connecting' ? 'connecting' : 'none'
}
