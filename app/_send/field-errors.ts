'use client'

import { type RefObject, useEffect, useRef } from 'react'
import type { Abi } from 'viem'
import { addressTexts } from '#lib/page/texts/address.ts'
import { failureTexts } from '#lib/page/texts/chain.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { Typed } from '#lib/page/typed-address.ts'
import { allAbis } from '#lib/reads/deployed.ts'
import { isThinPlan, type Planned } from '#lib/wallet/plan.ts'
import { describeRevert } from '#lib/wallet/revert.ts'
import { type Amount, amountFaultText } from '#lib/wallet/units.ts'

/** An error message for each invalid field, and for the form as a whole. */
export interface FieldErrors {
  readonly to?: string
  readonly amount?: string
  readonly form?: string
}

/** Errors of the input. */
export function findProblems(to: Typed, amount: Amount, may: { readonly zero: boolean }): FieldErrors {
  return {
    ...(to.kind !== 'address' && {
      to: addressTexts[to.kind === 'refused' ? to.why : 'shape'],
    }),
    ...('fault' in amount && { amount: amountFaultText(amount) }),
    ...('value' in amount && amount.value === 0n && !may.zero && { amount: sendTexts.faults.zero }),
  }
}

/** The one to show where there are no fields. */
export function firstErrorOf({ to, amount, form }: FieldErrors): string | undefined {
  return to ?? amount ?? form
}

/** The reason why there is no plan, by the ABI of what is called and those of `contracts/`. */
export function planErrorsOf(
  planned: Exclude<Planned, { readonly plan: unknown }>,
  abis: readonly Abi[],
): FieldErrors {
  if ('refused' in planned)
    return {
      form: isThinPlan(planned) ? sendTexts.thin : sendTexts.noPlan(failureTexts[planned.refused]),
    }
  const { fault, revert, step } = planned
  const why = revert && describeRevert(revert, [...abis, ...allAbis()])
  const text = why ? sendTexts.revertsWith(why) : sendTexts.faults[fault]
  const sentence = step === undefined ? text : sendTexts.batch.at(step, text)
  if (fault === 'funds') return { amount: sentence }
  return fault === 'cannot-receive' ? { to: sentence } : { form: sentence }
}

/** Moves the focus to the first field with a problem. */
export function useFirstError(errors: FieldErrors): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors.to ?? errors.amount) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return form
}
