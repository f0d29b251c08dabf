import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useConfig } from 'wagmi'
import { disconnect } from 'wagmi/actions'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { clearSettled, unmirror } from '#lib/wallet/mirror.ts'
import { isPending, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import button from '../_ui/button.module.css'
import { Worded } from '../_ui/worded.tsx'
import styles from './activity.module.css'
import { transactions } from './own-transactions.ts'

interface Props {
  readonly address: `0x${string}`
  readonly records: readonly TransactionRecord[]
  /** The last action. It takes the focus when a pressed button is removed. */
  readonly last: RefObject<HTMLButtonElement | null>
}

/** Actions for the list: clear settled transactions, or disconnect and delete everything. */
export function ActivityActions({ address, records, last }: Props) {
  const [cleared, setCleared] = useState<{ readonly count: number; readonly undo: () => void } | null>(null)
  const [isConfirming, setConfirming] = useState(false)
  const finished = records.filter((record) => !isPending(record))

  function clear() {
    setCleared({ count: finished.length, undo: clearSettled(transactions, address) })
    last.current?.focus()
  }

  function undo() {
    cleared?.undo()
    setCleared(null)
    last.current?.focus()
  }

  function keep() {
    flushSync(() => setConfirming(false))
    last.current?.focus()
  }

  if (isConfirming)
    return <Forget address={address} pending={records.length - finished.length} onKeep={keep} />
  return (
    <div className={styles.actions}>
      <p role="status">
        <Worded text={cleared && activityTexts.cleared(cleared.count)} />
      </p>
      {cleared && (
        <button type="button" className={button.bare} onClick={undo}>
          {activityTexts.undo}
        </button>
      )}
      {finished.length > 0 && (
        <button type="button" className={button.bare} onClick={clear}>
          {activityTexts.clear}
        </button>
      )}
      <button type="button" className={button.bare} ref={last} onClick={() => setConfirming(true)}>
        {activityTexts.forget}
      </button>
    </div>
  )
}

type ForgetProps = Pick<Props, 'address'> & { readonly pending: number; readonly onKeep: () => void }

/** Explains the consequences of disconnecting, and asks for confirmation. */
function Forget({ address, pending, onKeep }: ForgetProps) {
  const config = useConfig()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])

  async function forget() {
    transactions.remove(({ from }) => from === address)
    unmirror(address)
    await disconnect(config)
  }

  return (
    <section className={styles.forget} aria-label={activityTexts.forget}>
      <p>
        <Worded text={activityTexts.forgetText(pending)} />
      </p>
      <button type="button" className={button.quiet} ref={keep} onClick={onKeep}>
        {activityTexts.keep}
      </button>
      <button type="button" className={button.quiet} onClick={forget}>
        {activityTexts.forget}
      </button>
    </section>
  )
}
