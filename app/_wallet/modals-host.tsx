import { catchError } from 'next/error'
import { useEffect, useState } from 'react'
import { useConfig } from 'wagmi'
import { useCode } from '../_ui/lazy-code.ts'
import { listedCode } from './listed-code.ts'
// The one import to change for other modals: docs/build/identity.md.
import { WalletModals } from './rainbow/wallet-modals.tsx'
import type { WalletFacts, WalletModalsProps } from './wallet-types.ts'

export interface ModalsHostProps extends WalletModalsProps {
  /** Called with a function that starts the modals again when they have failed, and with null once it was used. */
  readonly onFailure: (restart: (() => void) | null) => void
}

/**
 * The wallet's modals next to the page, not around it: they are loaded on demand, and the page does not wait for them. The page
 * stands without them, whatever an extension or a library does there.
 */
export function ModalsHost({ onFailure, ...props }: ModalsHostProps) {
  return (
    <Boundary onFailure={onFailure}>
      <Listed {...props} />
    </Boundary>
  )
}

type BoundaryProps = Pick<ModalsHostProps, 'onFailure'>

const Boundary = catchError((props: BoundaryProps, { reset }) => <Failed {...props} restart={reset} />)

function Failed({ onFailure, restart }: BoundaryProps & { readonly restart: () => void }) {
  useEffect(() => {
    onFailure(restart)
    return () => onFailure(null)
  }, [onFailure, restart])
  return null
}

function Listed(props: WalletModalsProps) {
  const isReady = useListed(props.facts)
  return <WalletModals {...props} modalRequest={isReady ? props.modalRequest : null} />
}

/** Registers the listed wallets with wagmi. In demo and dev there is only the announced one. */
function useListed(facts: WalletFacts): boolean {
  const config = useConfig()
  const { module: listed } = useCode(listedCode, { isWanted: false })
  const [isReady, setReady] = useState(facts.demo)
  useEffect(() => {
    if (facts.demo || !listed) return
    listed.addListed(config, facts)
    setReady(true)
  }, [config, facts, listed])
  return isReady
}
