'use client'

import { useQuery } from '@tanstack/react-query'
import { useConfig } from 'wagmi'
import { isSameResult, type KnownCall, type OwnCall } from '#lib/certificate/own-node.ts'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'
import type { ResultClaim } from '#lib/certificate/result-of.ts'
import { callOwnNode } from '#lib/page/call-own-node.ts'
import { evidenceCheckTexts } from '#lib/page/texts/evidence.ts'
import button from '../_ui/button.module.css'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './evidence-checks.module.css'

/** What a node is asked, and what its answer is compared with. */
export interface Question {
  readonly certificate: PublicCertificate
  readonly known: KnownCall | null
  readonly ownCall: OwnCall
  /** By which results of the method are compared. */
  readonly shape: ResultClaim['shape']
}

/** The answer of the node of the visitor’s wallet, once it is connected. */
export function ViaWallet({ chainName, ...question }: Question & { readonly chainName: string }) {
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
  if (chainId !== certificate.chainId) return <p>{evidenceCheckTexts.walletElsewhere(chainName)}</p>
  return (
    <>
      <button type="button" className={button.quiet} aria-busy={isFetching} onClick={() => refetch()}>
        {evidenceCheckTexts.viaWallet}
      </button>
      <Outcome outcome={data} isPending={isFetching} />
    </>
  )
}

/** EIP-1193. */
interface WalletProvider {
  readonly request: (call: OwnCall) => Promise<unknown>
}

/** The answer of the node at an address. */
export function ViaUrl({ url, ...question }: Question & { readonly url: string }) {
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

async function compare({ certificate, known, shape }: Question, result: unknown): Promise<OwnAnswer> {
  if (result === undefined) return 'none'
  if (await isSameResult(certificate, known, { shape, result })) return 'same'
  if (result === null) return 'none'
  const text = JSON.stringify(result)
  return { other: text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text }
}

function Outcome({ outcome, isPending }: { outcome: OwnAnswer | undefined; isPending: boolean }) {
  return (
    <p className={styles.outcome} role="status" data-same={outcome === 'same'}>
      {isPending && evidenceCheckTexts.asking}
      {outcome === 'same' && evidenceCheckTexts.sameAnswer}
      {outcome === 'none' && evidenceCheckTexts.noAnswer}
      {outcome === 'other-chain' && evidenceCheckTexts.otherChain}
      {typeof outcome === 'object' && (
        <>
          {evidenceCheckTexts.otherAnswer} <code>{outcome.other}</code>
        </>
      )}
    </p>
  )
}
