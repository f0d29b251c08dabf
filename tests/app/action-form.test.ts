import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import type { TokenAction, TokenFacts } from '#lib/token/erc20.ts'
import type { PlanFormProps } from '../../app/_send/plan-form.tsx'
import { ActionForm } from '../../app/token/action-form.tsx'

const shown = vi.hoisted(() => ({ form: undefined as PlanFormProps | undefined }))
vi.mock('../../app/_send/plan-form.tsx', () => ({
  PlanForm(form: PlanFormProps) {
    shown.form = form
    return null
  },
}))
vi.mock('../../app/_wallet/wallet.ts', () => ({
  useWallet: () => ({ figures: createFigures({ group: '.', decimal: ',' }) }),
}))

/** What a press on Max fills in, with this balance; null where there is no such button. */
function maxOf(action: TokenAction, balance: string | null) {
  const onDraft = vi.fn()
  const token = { address: '0x01', symbol: 'TKN', decimals: 18 } as unknown as TokenFacts
  const draft = { party: '', amount: '', isUnlimited: false }
  const form = { action, token, chainId: 1, balance, draft, error: undefined, onDraft, onPlan() {} }
  renderToStaticMarkup(createElement(ActionForm, form))
  const button = (shown.form?.amount.max || null) as ReactElement<{ readonly onClick: () => void }> | null
  button?.props.onClick()
  return button && onDraft.mock.calls[0]?.[0].amount
}

test('all of a token is sent by Max, with the digits that the page does not show', () => {
  expect(maxOf('transfer', '1123456789012345678')).toBe('1,123456789012345678')
  expect(maxOf('transfer', null)).toBe(null)
  expect(maxOf('approve', '1')).toBe(null)
})
