'use client'

import { useState } from 'react'
import type { Card } from '#lib/page/shown.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { type Draft, emptyDraft, SendForm } from './send-form.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'

export interface SendDialogProps {
  readonly cards: readonly Card[]
  readonly onClose: () => void
}

/** The dialog to send the native coin. */
export default function SendDialog({ cards, onClose }: SendDialogProps) {
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  return (
    <TransactionDialog
      title={sendTexts.title}
      form={(problem, onPlan) => (
        <SendForm cards={cards} draft={draft} problem={problem} onDraft={setDraft} onPlan={onPlan} />
      )}
      onClose={onClose}
    />
  )
}
