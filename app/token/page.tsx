import { cookies, headers } from 'next/headers'
import { chains } from '#lib/chains.ts'
import { env } from '#lib/env.ts'
import { read } from '#lib/page/read.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { onNetworks, readTyped, type Typed } from '#lib/page/typed-address.ts'
import { pageCaller } from '#lib/page-caller.ts'
import { readToken, type TokenReading, tokenQuestions } from '#lib/token/erc20.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { visitorCookie } from '#lib/wallet/visitor.ts'
import { localTokens, site, tokens } from '#site'
import styles from './token.module.css'
import { TokenForm } from './token-form.tsx'
import { TokenView } from './token-view.tsx'

export const metadata = { title: tokenTexts.title }

const readWithinMs = 5000

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
  const asked = named ?? Number(chain ?? site.initialChainId)
  const chosen = configured.find(({ id }) => id === asked) ?? configured[0]
  if (!chosen) return null
  const owner = readVisitor((await cookies()).get(visitorCookie)?.value)?.address
  const painted = typed.kind === 'address' ? await readPainted(chosen.id, typed, owner) : null
  const examples = (env().DEMO ? localTokens : tokens).filter((token) =>
    configured.some(({ id }) => id === token.chainId),
  )
  return (
    <div className={styles.page}>
      <TokenForm
        typed={typed}
        chains={configured.map(({ id, name }) => ({ id, name }))}
        chainId={chosen.id}
        examples={examples}
      />
      {typed.kind === 'address' && painted && (
        <TokenView
          key={`${chosen.id}:${typed.address}`}
          address={typed.address}
          chain={chosen}
          painted={painted}
          paintedFor={owner}
        />
      )}
    </div>
  )
}

async function readPainted(
  chainId: number,
  { address }: Extract<Typed, { kind: 'address' }>,
  owner: `0x${string}` | undefined,
): Promise<TokenReading> {
  const caller = pageCaller((await headers()).get('x-forwarded-for'))
  const readings = await read(chainId, tokenQuestions(address, owner), { withinMs: readWithinMs, caller })
  return readToken(address, readings)
}
