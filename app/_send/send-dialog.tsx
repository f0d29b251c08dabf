'use client'

import { useState } from 'react'
import { isRecord } from '#lib/json.ts'
import { sendDraft, takeDraft } from '#lib/page/draft.ts'
import type { Card } from '#lib/page/shown.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { units } from '#lib/wallet/units.ts'
import { NewVersion } from '../_ui/new-version.tsx'
import { useDraft } from '../_ui/use-draft.ts'
import { type Draft, emptyDraft, SendForm } from './send-form.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'

export interface SendDialogProps {
  readonly cards: readonly Card[]
  readonly onClose: () => void
}

/** The dialog to send the native coin. */
export default function SendDialog({ cards, onClose }: SendDialogProps) {
  const [draft, setDraft] = useState<Draft>(() => restoredDraft(takeDraft(sendDraft)))
  useDraft(sendDraft, draft)
  return (
    <TransactionDialog
      title={sendTexts.title}
      form={(problem, onPlan) => (
        <>
          <NewVersion />
          <SendForm cards={cards} draft={draft} problem={problem} onDraft={setDraft} onPlan={onPlan} />
        </>
      )}
      onClose={onClose}
    />
  )
}

function restoredDraft(kept: unknown): Draft {
  if (!isRecord(kept)) return emptyDraft
  const { chainId, to, amount, unit } = kept
  return {
    chainId: typeof chainId === 'number' ? chainId : null,
    to: typeof to === 'string' ? to : '',
    amount: typeof amount === 'string' ? amount : '',
    unit: typeof unit === 'string' && Object.hasOwn(units, unit) ? (unit as Draft['unit']) : 'coin',
  }
}
