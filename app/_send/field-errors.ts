import type { Abi } from 'viem'
import { failureTexts } from '#lib/page/texts/chain.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { allAbis } from '#lib/reads/deployed.ts'
import { isThinPlan, type Planned } from '#lib/wallet/plan.ts'
import { describeRevert } from '#lib/wallet/revert.ts'

/** An error message for each invalid field, and for the form as a whole. */
export interface FieldErrors {
  readonly to?: string
  readonly amount?: string
  readonly form?: string
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
