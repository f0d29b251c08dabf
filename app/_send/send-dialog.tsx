import { useEffect, useState } from 'react'
import { isOffered, sendDraft, takeDraft, withdrawDraft } from '#lib/page/draft.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { isRecord } from '#lib/parse-json.ts'
import { units } from '#lib/wallet/units.ts'
import { NewVersion } from '../_ui/new-version.tsx'
import { useDraft } from '../_ui/use-draft.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { type Draft, emptyDraft, SendForm } from './send-form.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'

/** What was typed and not sent, until the page is left: a dialog may be closed by mistake. */
let lastDraft: { readonly address: string | undefined; readonly draft: Draft } | null = null

const lastDraftFor = (address: string | undefined) =>
  lastDraft && lastDraft.address === address && isOffered(lastDraft.draft) ? lastDraft.draft : undefined

/** The dialog to send the native coin. */
export default function SendDialog({ onClose }: { onClose: () => void }) {
  const { address } = useWallet()
  const [draft, setDraft] = useState<Draft>(() =>
    restoredDraft(takeDraft(sendDraft) ?? lastDraftFor(address)),
  )
  useDraft(sendDraft, draft)
  useEffect(() => {
    lastDraft = { address, draft }
  }, [address, draft])
  return (
    <TransactionDialog
      title={sendTexts.title}
      form={(error, onPlan) => (
        <>
          <NewVersion />
          <SendForm draft={draft} error={error} onDraft={setDraft} onPlan={onPlan} />
        </>
      )}
      onSubmit={async (submission) => {
        const offerAgain = withdrawDraft(draft)
        const { kind } = await submission
        if (kind === 'refused') offerAgain()
      }}
      onClose={onClose}
    />
  )
}

function restoredDraft(stored: unknown): Draft {
  if (!isRecord(stored)) return emptyDraft
  const { chainId, to, amount, unit, isEverything } = stored
  return {
    chainId: typeof chainId === 'number' ? chainId : null,
    to: typeof to === 'string' ? to : '',
    amount: typeof amount === 'string' ? amount : '',
    unit: typeof unit === 'string' && Object.hasOwn(units, unit) ? (unit as Draft['unit']) : 'coin',
    isEverything: isEverything === true,
  }
}
