'use client'

import { useEffect, useState } from 'react'
import { useAccount, useConnect, useDisconnect, useSwitchChain } from 'wagmi'
import { Dialog } from '../_ui/dialog.tsx'
import type { WalletModalsProps } from './wallet-types.ts'

const titles = { connect: 'Choose a wallet', account: 'Your account', chain: 'Choose a network' }

/** The modals without RainbowKit, for a fork: import them in `modals-host.tsx` (docs/build/identity.md). */
export function WalletModals({ modalRequest, opened }: WalletModalsProps) {
  const [closedTurn, setClosedTurn] = useState(0)
  const { isConnected } = useAccount()
  const isOver = modalRequest === null || isConnected === (modalRequest.view === 'connect')
  useEffect(() => {
    if (modalRequest === null) return
    opened(modalRequest.turn)
    // A modal that is over does not come back with the next connection.
    if (isOver) setClosedTurn(modalRequest.turn)
  }, [modalRequest, opened, isOver])
  if (isOver || closedTurn === modalRequest.turn) return null
  const { view, turn } = modalRequest
  return (
    <Dialog name={{ text: titles[view] }} onClose={() => setClosedTurn(turn)}>
      {(close) => (
        <>
          <h1>{titles[view]}</h1>
          {view === 'connect' ? <Wallets /> : view === 'account' ? <Account /> : <Networks onDone={close} />}
        </>
      )}
    </Dialog>
  )
}

function Wallets() {
  const { connectors, connect, error } = useConnect()
  return (
    <>
      {connectors.map((connector) => (
        <button key={connector.uid} type="button" onClick={() => connect({ connector })}>
          {connector.name}
        </button>
      ))}
      <p role="alert">{error?.message}</p>
    </>
  )
}

function Account() {
  const { address } = useAccount()
  const { disconnect } = useDisconnect()
  return (
    <>
      <p>{address}</p>
      <button type="button" onClick={() => disconnect()}>
        Disconnect
      </button>
    </>
  )
}

function Networks({ onDone }: { onDone: () => void }) {
  const { chains, switchChain, error } = useSwitchChain()
  return (
    <>
      {chains.map(({ id, name }) => (
        <button key={id} type="button" onClick={() => switchChain({ chainId: id }, { onSuccess: onDone })}>
          {name}
        </button>
      ))}
      <p role="alert">{error?.message}</p>
    </>
  )
}
