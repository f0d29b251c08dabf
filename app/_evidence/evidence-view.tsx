import { operatorsToForge } from '#lib/certificate/check-certificate.ts'
import type { CertifiedCall } from '#lib/certificate/known-call.ts'
import type { PublicCertificate, PublicVote } from '#lib/certificate/public-certificate.ts'
import { type Figures, formatAddress } from '#lib/page/format.ts'
import { toUnits } from '#lib/page/quantity.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { evidenceTexts, proofAbsentTexts, standingOf } from '#lib/page/texts/evidence.ts'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import box from '../_ui/warning.module.css'
import { Worded } from '../_ui/worded.tsx'
import styles from './evidence-view.module.css'

export interface EvidenceViewProps {
  readonly certificate: PublicCertificate
  readonly call: CertifiedCall
  readonly chainName: string
  /** Of the chain; null where it is configured no more. */
  readonly coin: { readonly symbol: string; readonly decimals: number } | null
  readonly figures: Figures
}

/** One answer in words and in one picture: who said what, at which block, by which rule. */
export function EvidenceView(view: EvidenceViewProps) {
  const { certificate, call, chainName, figures } = view
  const { outcome, rule, thin, proofAbsent } = certificate
  const standing = standingOf(certificate)
  const figure = figureOf(view)
  const agreement =
    outcome === 'failed'
      ? evidenceTexts.failed
      : rule === 'proven'
        ? evidenceTexts.proven
        : chainTexts.agreement(standing)
  return (
    <>
      {figure ? (
        <>
          <p className={styles.of}>
            <Worded text={figure.of} />
          </p>
          <h1 translate="no">{figure.text}</h1>
          <p className={styles.agreement} translate="no">
            {agreement}
          </p>
        </>
      ) : (
        <>
          <p className={styles.of}>{evidenceTexts.of(chainName)}</p>
          <h1 translate="no">{agreement}</h1>
        </>
      )}
      {standing.dissenting > 0 && (
        <p className={styles.dissent} translate="no">
          {chainTexts.dissent(standing)}
        </p>
      )}
      {rule === 'proven' && <p>{evidenceTexts.provenStory}</p>}
      {proofAbsent && <p>{proofAbsentTexts[proofAbsent]}</p>}
      {thin && <p className={box.warning}>{evidenceTexts.thin}</p>}
      {call === 'wrong' && <p className={box.warning}>{evidenceTexts.wrongCall}</p>}
      <figure className={styles.picture} aria-label={evidenceTexts.picture}>
        <div className={styles.ring}>
          <AgreementRing quorum={outcome === 'failed' ? null : standing} size={148} stroke={6} />
          <strong>
            <Worded text={evidenceTexts.agreeing(standing.operators)} />
          </strong>
        </div>
        <ul>
          {certificate.votes.map((vote) => (
            <Vote key={vote.operator} vote={vote} isOfBlock={rule === 'proven'} figures={figures} />
          ))}
        </ul>
      </figure>
      <Facts {...view} />
    </>
  )
}

/** What the visitor came from: a balance, or the number of a block. Null for any other answer. */
function figureOf(view: EvidenceViewProps): { readonly of: string; readonly text: string } | null {
  const { certificate, call, chainName, coin, figures } = view
  const { method, outcome, block } = certificate
  const at = block && figures.block(block.number)
  if (outcome === 'failed' || at === null) return null
  if (method === 'eth_blockNumber') return { of: evidenceTexts.head(chainName), text: at }
  if (typeof call === 'string' || coin === null || call.method !== 'eth_getBalance') return null
  const units = toUnits(call.result)
  if (units === null) return null
  return {
    of: evidenceTexts.balance(formatAddress(String(call.params[0])), chainName, at),
    text: `${figures.exact(units, coin.decimals)} ${coin.symbol}`,
  }
}

interface VoteProps {
  readonly vote: PublicVote
  /** Of a proven result the operators show the block alone. */
  readonly isOfBlock: boolean
  readonly figures: Figures
}

function Vote({ vote, isOfBlock, figures }: VoteProps) {
  const { operator, weight, required, supports, vote: digest } = vote
  const kind = supports ? 'for' : digest === null ? 'none' : 'against'
  return (
    <li data-vote={kind}>
      <strong translate="no">{operator}</strong>
      <span>{isOfBlock && supports ? evidenceTexts.showsBlock : evidenceTexts.vote[kind]}</span>
      <small>
        <Worded
          text={
            evidenceTexts.weight(figures.weight(weight)) + (required ? `, ${evidenceTexts.required}` : '')
          }
        />
      </small>
    </li>
  )
}

function Facts({ certificate, call, figures }: EvidenceViewProps) {
  const { block, votes, quorum, time, rule, policy, build } = certificate
  const texts = evidenceTexts.facts
  const total = votes.reduce((sum, { weight }) => sum + weight, 0)
  const voting = votes.filter(({ weight }) => weight > 0).length
  const known = typeof call === 'string' ? null : call
  return (
    <dl className={styles.facts}>
      <dt>{texts.block}</dt>
      <dd>
        <span translate="no">{block === null ? answerTexts.noBlock : figures.block(block.number)}</span>
        {block?.hash && <code translate="no">{block.hash}</code>}
      </dd>
      <dt>{texts.quorum}</dt>
      <dd>
        <Worded
          text={evidenceTexts.quorum(figures.weight(quorum.weight), figures.weight(total), quorum.operators)}
        />
      </dd>
      <dt>{texts.lie}</dt>
      <dd>
        <Worded text={evidenceTexts.forge(operatorsToForge(certificate), voting)} />
      </dd>
      <dt>{texts.rule}</dt>
      <dd>
        <span>{answerTexts.policy({ policy, operatorsMin: quorum.operators })}</span>{' '}
        <code translate="no">{rule}</code>
      </dd>
      <dt>{texts.at}</dt>
      <dd translate="no">{time.replace('T', ' ').slice(0, 19)}</dd>
      <dt>{texts.call}</dt>
      <dd translate="no">
        <code>{known?.method ?? certificate.method}</code>
        {known && <code>{JSON.stringify(known.params)}</code>}
      </dd>
      {known?.result !== undefined && (
        <>
          <dt>{texts.result}</dt>
          <dd translate="no">
            <code>{JSON.stringify(known.result)}</code>
          </dd>
        </>
      )}
      {build && (
        <>
          <dt>{texts.build}</dt>
          <dd>
            <code translate="no">{build}</code>
          </dd>
        </>
      )}
    </dl>
  )
}
