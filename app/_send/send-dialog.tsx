'use client'

import { useState } from 'react'
import { sendDraft, takeDraft } from '#lib/page/draft.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { isRecord } from '#lib/parse-json.ts'
import { units } from '#lib/wallet/units.ts'
import { NewVersion } from '../_ui/new-version.tsx'
import { useDraft } from '../_ui/use-draft.ts'
import { type Draft, emptyDraft, SendForm } from './send-form.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'

/** The dialog to send the native coin. */
export default function SendDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => restoredDraft(takeDraft(sendDraft)))
  useDraft(sendDraft, draft)
  return (
    <TransactionDialog
      title={sendTexts.title}
      form={(error, onPlan) => (
        <>
          <NewVersion />
          <SendForm draft={draft} error={error} onDraft={setDraft} onPlan={onPlan} />
        </>
      )}
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
