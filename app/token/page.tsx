import { dehydrate, QueryClient } from '@tanstack/react-query'
import { cookies } from 'next/headers'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { onNetworks, readTyped } from '#lib/page/typed-address.ts'
import { readEngine } from '#lib/reads/server-reads.ts'
import { keyOf } from '#lib/token/token-list.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { visitorCookie } from '#lib/wallet/visitor.ts'
import { localTokens, site, tokens } from '#site'
import { HandOver } from '../_ui/hand-over.tsx'
import page from '../_ui/page.module.css'
import { TokenForm } from './token-form.tsx'
import { tokenQuery } from './token-queries.ts'
import { TokenView } from './token-view.tsx'

export const metadata = { title: tokenTexts.title }

type Query = Readonly<Record<'address' | 'chain', string | string[] | undefined>>

/** One ERC-20 token, by address and chain in the URL. Its facts are in the HTML and need neither a wallet nor JavaScript. */
export default async function TokenPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { address, chain } = await searchParams
  const configured = chains()
  const typed = onNetworks(
    readTyped(address),
    configured.map(({ id }) => id),
  )
  // A pasted address may name its network.
  const named = typed.kind === 'address' ? typed.chainId : undefined
  const chosenChainId = named ?? Number(chain ?? site.initialChainId)
  const chosen = configured.find(({ id }) => id === chosenChainId) ?? configured[0]
  if (!chosen) return null
  const owner = readVisitor((await cookies()).get(visitorCookie)?.value)?.address
  const queries = new QueryClient()
  if (typed.kind === 'address') {
    const token = { chainId: chosen.id, address: typed.address, owner }
    await queries.prefetchQuery(tokenQuery(readEngine(), token))
  }
  const examples = (env().DEMO ? localTokens : tokens).filter((token) =>
    configured.some(({ id }) => id === token.chainId),
  )
  return (
    <div className={page.page}>
      <TokenForm
        typed={typed}
        chains={configured.map(({ id, name }) => ({ id, name }))}
        chainId={chosen.id}
        examples={examples}
      />
      {typed.kind === 'address' && (
        <HandOver state={dehydrate(queries)}>
          <TokenView
            key={`${chosen.id}:${typed.address}`}
            address={typed.address}
            chain={chosen}
            isSuggested={examples.some(
              (token) => keyOf(token) === keyOf({ chainId: chosen.id, address: typed.address }),
            )}
          />
        </HandOver>
      )}
    </div>
  )
}
