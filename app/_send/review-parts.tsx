import { checksumAddress } from 'viem'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { NamedParty } from '#lib/names/named-party.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { agreementLine } from '#lib/page/texts/chain.ts'
import { nameTexts } from '#lib/page/texts/names.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { isSame } from '#lib/wallet/compare.ts'
import { amountOf } from '#lib/wallet/effect.ts'
import { isUnlimitedAmount } from '#lib/wallet/meaning.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { Address } from '../_ui/address.tsx'
import { Avatar } from '../_ui/avatar.tsx'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { WhyLink } from '../_ui/why-link.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { CallChanges } from './call-parts.tsx'
import { formatTokens, nameCall } from './describe.ts'
import styles from './review.module.css'
import { keepsPart } from './warnings.ts'

/** Longer amounts get a smaller font to stay in one line. */
const digitsLarge = 12

/** What is sent or approved, with all digits. */
export function Amount({ call, coin }: { call: PlannedCall; coin: ChainFacts['currency'] }) {
  const { figures } = useWallet()
  const { intent, meaning, display } = call
  const isOfToken = meaning.kind === 'transfer' || meaning.kind === 'approve'
  const { symbol, decimals } = (isOfToken && intent.token) || coin
  if (display || (meaning.kind === 'call' && intent.value === 0n))
    return (
      <p className={styles.headline}>
        <Worded text={nameCall(call, { figures, coin })} />
      </p>
    )
  const units = meaning.kind === 'call' ? intent.value : meaning.amount
  const isUnlimited = isOfToken && isUnlimitedAmount(units)
  const exact = isUnlimited ? tokenTexts.unlimited : figures.exact(units, decimals)
  return (
    <p className={styles.amount} data-long={exact.length > digitsLarge} translate="no">
      {exact} <span>{symbol}</span>
    </p>
  )
}

/** Every address that a call names, and who makes it. */
export function partiesOf({ intent, meaning }: PlannedCall): readonly Party[] {
  const from = [sendTexts.from, intent.from] as const
  if (meaning.kind === 'call') return [from, [sendTexts.anyCall.contract, intent.to]]
  return [
    from,
    [meaning.kind === 'approve' ? tokenTexts.spender : sendTexts.to, meaning.party, intent.named],
    ...(meaning.kind === 'pay' ? [] : [[tokenTexts.contract, intent.to] as const]),
  ]
}

/** Addresses in full. */
export function Parties({ parties }: { parties: readonly Party[] }) {
  return (
    <dl className={styles.parties}>
      {parties.map(([label, address, named]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Avatar address={address} size={28} />
            <span>
              {named && <strong translate="no">{named.name}</strong>}
              <Address address={checksumAddress(address)} />
            </span>
          </dd>
          {named && <NameNotes named={named} />}
        </div>
      ))}
    </dl>
  )
}

type Party = readonly [label: string, address: `0x${string}`, named?: NamedParty | undefined]

/** What a name's address rests on. */
function NameNotes({ named: { name, isOffchain, isOfMainnet, certificateId } }: { named: NamedParty }) {
  return (
    <dd className={styles.nameNotes}>
      <span>
        {isOfMainnet && <span>{nameTexts.mainnet}</span>} {isOffchain && <span>{nameTexts.offchain}</span>}
      </span>
      <WhyLink certificateId={certificateId} of={name} />
    </dd>
  )
}

/** Network, what changes, the fee and the simulation. */
export function Figures({ plan, chain }: { plan: Plan; chain: ChainFacts }) {
  const { figures } = useWallet()
  const { fee } = plan
  const { symbol, decimals } = chain.currency
  const value = plan.calls.reduce((sum, { intent }) => sum + intent.value, 0n)
  const coins = (units: bigint) => `${figures.atMost(units, decimals)} ${symbol}`
  return (
    <dl className={styles.rows}>
      <dt>{accountTexts.network}</dt>
      <dd translate="no">{chain.name}</dd>
      {fee ? (
        <>
          <dt>{plan.calls.length > 1 ? sendTexts.batch.fee : sendTexts.fee}</dt>
          <dd translate="no">{coins(fee.max)}</dd>
          {value > 0n && (
            <>
              <dt>{sendTexts.total}</dt>
              <dd translate="no">{coins(value + fee.max)}</dd>
            </>
          )}
        </>
      ) : (
        <>
          <dt>{sendTexts.feeOfOwners}</dt>
          <dd>{sendTexts.feeOfOwnersText}</dd>
        </>
      )}
      <CallChanges changes={changesOf(plan)} fee={fee} chain={chain} />
      <Gain call={plan.calls[0]} />
      <dt>{sendTexts.tried}</dt>
      <dd>{plan.block !== null && <Worded text={sendTexts.triedText(figures.block(plan.block))} />}</dd>
      {plan.agreed && (
        <dd className={styles.agreed}>
          <AgreementRing quorum={plan.agreed} size={22} stroke={3} />
          <span translate="no">{agreementLine(plan.agreed)}</span>
          <WhyLink certificateId={plan.certificateId} of={sendTexts.tried} />
        </dd>
      )}
    </dl>
  )
}

/** What changes for the sender: of a payment and of a call of a token as read, of anything else as its simulation says. */
function changesOf({ calls: [call, ...others], changes, balance }: Plan): Plan['changes'] {
  const { meaning, effect, intent } = call
  if (others.length > 0 || meaning.kind === 'call') return changes
  if (meaning.kind === 'pay') {
    const after = isSame(meaning.party, intent.from) ? balance : balance - intent.value
    return [{ kind: 'coin', label: null, before: balance, after }]
  }
  const { token: label = null, to: token } = intent
  const [before, after] = [effect?.before[0], effect?.after[0]]
  if (label === null || before === undefined || after === undefined) return null
  const change = { token, label, before, after }
  return [
    meaning.kind === 'approve'
      ? { kind: 'allowance', spender: meaning.party, ...change }
      : { kind: 'balance', ...change },
  ]
}

/** What the recipient gains of a token that keeps a part of what is sent. */
function Gain({ call }: { call: PlannedCall }) {
  const { figures } = useWallet()
  const { meaning, effect, intent } = call
  if (!keepsPart(call) || meaning.kind !== 'transfer' || !effect || !intent.token) return null
  return (
    <>
      <dt>{sendTexts.gain}</dt>
      <dd translate="no">{formatTokens(amountOf(meaning, effect), intent.token, figures)}</dd>
    </>
  )
}
