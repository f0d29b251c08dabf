import { maxUint256 } from 'viem'
import { plainText } from '#lib/page/plain-text.ts'
import { nameTexts } from '#lib/page/texts/names.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { labelDoubts } from '#lib/token/label-doubts.ts'
import type { DescribedAmount } from '#lib/wallet/call-display.ts'
import { isApproval } from '#lib/wallet/changes.ts'
import { isSame } from '#lib/wallet/compare.ts'
import { contradictionsOf } from '#lib/wallet/contradictions.ts'
import { amountOf, isRounded } from '#lib/wallet/effect.ts'
import { isSameAllowance, isToken, isUnlimitedAmount, type TokenMeaning } from '#lib/wallet/meaning.ts'
import type { Intent, Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { type Wording, writeText } from './describe.ts'

/** `isDanger`: what is signed is likely lost, or open to a thief. It takes a second step. */
export interface Warning {
  readonly text: string
  readonly isDanger: boolean
}

type Warned = Pick<Plan, 'calls' | 'changes'>

const warning = (text: string): Warning => ({ text, isDanger: false })
const danger = (text: string): Warning => ({ text, isDanger: true })

/** Where the simulation contradicts the description of a call. What it takes beyond that needs a second step. */
export function contradictionWarnings(plan: Warned, wording: Wording): readonly Warning[] {
  return contradictionsOf(plan).map(({ kind, found, described }) => {
    const write = (amount: DescribedAmount) => plainText(writeText([amount], wording))
    const words = described.map(write).join(', ')
    const text = sendTexts.anyCall.contradicts[kind](write(found), words || null)
    return kind === 'gives' ? warning(text) : danger(text)
  })
}

/** Warnings before signing, the most serious first. */
export function warningsOf({ calls, changes }: Warned): readonly Warning[] {
  return calls.length > 1 ? batchWarnings(calls, changes) : callWarningsOf(calls[0], changes)
}

function callWarningsOf(call: PlannedCall, changes: Plan['changes']): readonly Warning[] {
  const { named } = call.intent
  const isChanged = named !== undefined && named.before !== null
  return [
    ...(isChanged ? [danger(nameTexts.changed(named.name, named.before))] : []),
    ...meaningWarnings(call, changes),
  ]
}

function meaningWarnings(call: PlannedCall, changes: Plan['changes']): readonly Warning[] {
  const { meaning, intent, toContract } = call
  if (meaning.kind === 'call') return callWarnings(changes, intent.chainId)
  const labels = labelWarnings(intent)
  if (meaning.kind === 'approve') return [...approvalWarnings(meaning, toContract), ...labels]
  const { party } = meaning
  const isItself = isToken(meaning) && isSame(party, meaning.token)
  const nobody = nobodyAt(party)
  return [
    ...(nobody ? [danger(nobody)] : []),
    ...(isItself ? [danger(tokenTexts.toItself)] : []),
    ...(toContract && !isItself
      ? [warning(isToken(meaning) ? tokenTexts.toContract : sendTexts.toContract)]
      : []),
    ...(isSame(party, intent.from) ? [warning(sendTexts.toSelf)] : []),
    ...(keepsPart(call) ? [warning(sendTexts.gainWarning)] : []),
    ...labels,
  ]
}

/** Of the calls what each is dangerous for; what may be taken afterwards is that of all together. */
function batchWarnings(calls: Plan['calls'], changes: Plan['changes']): readonly Warning[] {
  const own = calls.flatMap((call) => {
    const warnings = callWarningsOf(call, [])
    if (call.meaning.kind !== 'approve' || changes === null) return warnings
    return [...warnings.filter(({ isDanger }) => isDanger), ...labelWarnings(call.intent)]
  })
  const all = [...own, ...callWarnings(changes, calls[0].intent.chainId)]
  return [...new Map(all.map((one) => [one.text, one])).values()]
}

function callWarnings(changes: Plan['changes'], chainId: number): readonly Warning[] {
  if (changes === null) return [warning(sendTexts.anyCall.notSimulated)]
  const approvals = changes.filter(isApproval)
  const toAccount = approvals.some(({ isToAccount }) => isToAccount)
  const texts = approvals.map(({ kind, after }) => {
    if (kind === 'item') return sendTexts.anyCall.itemWarning
    if (kind === 'collection') return sendTexts.anyCall.collectionWarning
    return isSameAllowance(after, maxUint256) ? tokenTexts.unlimitedWarning : tokenTexts.approveWarning
  })
  const labels = changes.flatMap((change) =>
    'token' in change && change.label
      ? labelWarnings({ chainId, to: change.token, token: change.label })
      : [],
  )
  return [
    ...(toAccount ? [danger(tokenTexts.spenderIsAccount)] : []),
    ...[...new Set([...texts, ...labels.map(({ text }) => text)])].map(warning),
  ]
}

/** Why a token may not be what it calls itself. */
function labelWarnings({ chainId, to: address, token }: Pick<Intent, 'chainId' | 'to' | 'token'>) {
  const doubts = token ? labelDoubts({ chainId, address, symbol: token.symbol }) : []
  return doubts.map((doubt) => warning(tokenTexts.doubts[doubt]))
}

function approvalWarnings({ token, party, amount }: TokenMeaning, toContract: boolean): readonly Warning[] {
  if (amount === 0n) return [warning(tokenTexts.revokeText)]
  const nobody = nobodyAt(party)
  const spender = isSame(party, token)
    ? tokenTexts.approveItself
    : (nobody ?? (toContract ? null : tokenTexts.spenderIsAccount))
  const amountText = isUnlimitedAmount(amount) ? tokenTexts.unlimitedWarning : tokenTexts.approveWarning
  return [...(spender ? [danger(spender)] : []), warning(amountText)]
}

/** Whether the recipient gains less than is sent, by more than the comparison afterwards takes for rounding. */
export function keepsPart({ meaning, effect, intent }: PlannedCall): boolean {
  if (meaning.kind !== 'transfer' || effect === null || isSame(meaning.party, intent.from)) return false
  const gained = amountOf(meaning, effect)
  return gained < meaning.amount && !isRounded(gained, meaning.amount)
}

/** Precompiles, and the contracts of the chain itself. */
const systemMax = 0xffffn
const burn = 0xdeadn

/** Why an address belongs to nobody, if it is known. */
function nobodyAt(address: string): string | null {
  const number = BigInt(address)
  const { zero, system, burn: burnt } = sendTexts.toNobody
  if (number > systemMax) return null
  return number === 0n ? zero : number === burn ? burnt : system
}
