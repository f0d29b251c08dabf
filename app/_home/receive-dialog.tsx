import encodeQR from 'qr'
import { useId, useState } from 'react'
import { writePaymentRequest } from '#lib/page/payment-request.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { receiveTexts } from '#lib/page/texts/receive.ts'
import { amountFaultText, parseAmount } from '#lib/wallet/units.ts'
import { Address } from '../_ui/address.tsx'
import button from '../_ui/button.module.css'
import { Choice } from '../_ui/choice.tsx'
import { Dialog } from '../_ui/dialog.tsx'
import { DialogHead } from '../_ui/dialog-head.tsx'
import form from '../_ui/form.module.css'
import { NetworkChoice } from '../_ui/network-choice.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useSite, useVisitor } from '../_wallet/wallet.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './receive.module.css'

interface ReceiveProps {
  readonly address: `0x${string}`
  readonly onClose: () => void
}

/** The visitor's address to be scanned, copied or shared; by choice as a link with network and amount (EIP-681). */
export default function ReceiveDialog({ address, onClose }: ReceiveProps) {
  const { chains } = useSite()
  const [isRequest, setRequest] = useState(false)
  return (
    <Dialog name={{ id: 'receive-title' }} onClose={onClose}>
      {(close) => (
        <div className={styles.receive}>
          <DialogHead id="receive-title" title={accountTexts.receive} onClose={close} />
          {isRequest ? <Request address={address} /> : <Shared text={address} label={accountTexts.copy} />}
          {!isRequest && (
            <p className={form.note}>{receiveTexts.text(chains.map(({ name }) => name).join(', '))}</p>
          )}
          <Choice className={styles.choice} isChecked={isRequest} onChange={setRequest}>
            {receiveTexts.request}
          </Choice>
        </div>
      )}
    </Dialog>
  )
}

function Request({ address }: Pick<ReceiveProps, 'address'>) {
  const { chains, figures } = useSite()
  const { chain: active } = useVisitor()
  const [chainId, setChainId] = useState(active?.id)
  const [text, setText] = useState('')
  const errorId = useId()
  const chain = chains.find(({ id }) => id === chainId) ?? chains[0]
  if (!chain) return null
  const { symbol, decimals } = chain.currency
  const amount = parseAmount(text, { decimals, decimalMark: figures.marks.decimal, symbol })
  const error = text === '' || 'value' in amount ? null : amountFaultText(amount)
  return (
    <>
      {error === null && (
        <Shared
          text={writePaymentRequest({ address, chainId: chain.id, ...('value' in amount && amount) })}
          label={receiveTexts.copyLink}
        />
      )}
      <div className={styles.fields}>
        <NetworkChoice
          chains={chains}
          value={chain.id}
          onChange={({ target }) => setChainId(Number(target.value))}
        />
        <label>
          <span>{`${receiveTexts.amount}, ${symbol}`}</span>
          <input
            value={text}
            onChange={({ target }) => setText(target.value)}
            inputMode="decimal"
            placeholder="0"
            autoComplete="off"
            aria-invalid={error !== null}
            aria-describedby={errorId}
          />
        </label>
      </div>
      <p id={errorId} role="alert" className={styles.error}>
        <Worded text={error} />
      </p>
      <p className={form.note}>{receiveTexts.warning}</p>
    </>
  )
}

function Shared({ text, label }: { text: string; label: string }) {
  const canShare = typeof navigator.share === 'function'
  return (
    <>
      <Code text={text} />
      <p className={styles.text}>
        {text.startsWith('0x') ? <Address address={text} /> : <span translate="no">{text}</span>}
        <CopyButton text={text} label={label} />
      </p>
      {canShare && (
        // Closing the share sheet of the device rejects too, and is no error.
        <button
          type="button"
          className={button.quiet}
          onClick={() => void navigator.share({ text }).catch(() => {})}
        >
          {receiveTexts.share}
        </button>
      )}
    </>
  )
}

/** Readers want it dark on light, with a margin of four modules. */
function Code({ text }: { text: string }) {
  const rows = encodeQR(text, 'raw', { border: 4, ecc: 'medium' })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={receiveTexts.codeOf(text)}
    >
      <path d={path} />
    </svg>
  )
}
