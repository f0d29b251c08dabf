'use client'

import { useQuery } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import { isSameResult, type KnownCall, type OwnCall, shellLinesOf } from '#lib/certificate/own-node.ts'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'
import { callOwnNode } from '#lib/page/call-own-node.ts'
import { evidenceTexts } from '#lib/page/texts/evidence.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import button from '../_ui/button.module.css'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './evidence-checks.module.css'

interface Question {
  readonly certificate: PublicCertificate
  readonly known: KnownCall | null
  readonly ownCall: OwnCall
}

interface OwnNodeProps extends Question {
  readonly chainName: string
  /** The one that the form of this page named. */
  readonly node: string | null
}

/** Asks a node that has no part in the answer: by a shell, through the visitor's wallet, or by its address. */
export function OwnNode({ chainName, node, ...question }: OwnNodeProps) {
  const { known, ownCall } = question
  return (
    <section className={styles.section}>
      <h2>{evidenceTexts.own}</h2>
      <p>{evidenceTexts.ownStory}</p>
      {shellLinesOf(ownCall).map(([name, line]) => (
        <p key={name} className={styles.line}>
          <code>{line}</code>
          <CopyButton text={line} label={evidenceTexts.copyLine(name)} />
        </p>
      ))}
      <ViaWallet {...question} chainName={chainName} />
      <form className={styles.form} method="get">
        {known && (
          <>
            <input type="hidden" name="method" value={known.method} />
            <input type="hidden" name="params" value={JSON.stringify(known.params)} />
            <input type="hidden" name="result" value={JSON.stringify(known.result)} />
          </>
        )}
        <label>
          {evidenceTexts.viaUrl}
          <input
            name="node"
            type="url"
            required
            defaultValue={node ?? ''}
            placeholder={evidenceTexts.viaUrlExample}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className={button.quiet}>
          {evidenceTexts.viaUrlAction}
        </button>
        <p>{evidenceTexts.viaUrlStory}</p>
      </form>
      {node !== null && <ViaUrl {...question} url={node} />}
    </section>
  )
}

function ViaWallet({ chainName, ...question }: Question & { readonly chainName: string }) {
  const { certificate, ownCall } = question
  const config = useConfig()
  const { phase, chainId } = useWallet()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['own-wallet', certificate.id, ownCall],
    async queryFn(): Promise<OwnAnswer> {
      const { connections, current } = config.state
      const provider = await connections.get(current ?? '')?.connector.getProvider()
      // A wallet may answer with something that is no JSON, such as a bigint.
      return (provider as WalletProvider)
        .request(ownCall)
        .then((result) => compare(question, result))
        .catch(() => 'none')
    },
    enabled: false,
  })
  if (phase !== 'connected') return null
  if (chainId !== certificate.chainId) return <p>{evidenceTexts.walletElsewhere(chainName)}</p>
  return (
    <>
      <button type="button" className={button.quiet} aria-busy={isFetching} onClick={() => refetch()}>
        {evidenceTexts.viaWallet}
      </button>
      <Outcome outcome={data} isPending={isFetching} />
    </>
  )
}

/** EIP-1193. */
interface WalletProvider {
  readonly request: (call: OwnCall) => Promise<unknown>
}

function ViaUrl({ url, ...question }: Question & { readonly url: string }) {
  const { certificate, ownCall } = question
  const { data, isPending } = useQuery({
    queryKey: ['own-node', url, certificate.id, ownCall],
    async queryFn({ signal }) {
      const answer = await callOwnNode(url, { ownCall, chainId: certificate.chainId, signal })
      return typeof answer === 'string' ? answer : compare(question, answer.result)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <Outcome outcome={data} isPending={isPending} />
}

type OwnAnswer = 'same' | 'none' | 'other-chain' | { readonly other: string }

const textCharsMax = 200

function compare({ certificate, known }: Question, result: unknown): OwnAnswer {
  if (result === null || result === undefined) return 'none'
  if (isSameResult(certificate, known, result)) return 'same'
  return { other: JSON.stringify(result).slice(0, textCharsMax) }
}

function Outcome({ outcome, isPending }: { outcome: OwnAnswer | undefined; isPending: boolean }) {
  return (
    <p className={styles.outcome} role="status" data-same={outcome === 'same'}>
      {isPending && evidenceTexts.asking}
      {outcome === 'same' && evidenceTexts.sameAnswer}
      {outcome === 'none' && evidenceTexts.noAnswer}
      {outcome === 'other-chain' && evidenceTexts.otherChain}
      {typeof outcome === 'object' && (
        <>
          {evidenceTexts.otherAnswer} <code>{outcome.other}</code>
        </>
      )}
    </p>
  )
}
