import { cookies } from 'next/headers'
import { Suspense } from 'react'
import { homeTexts } from '#lib/page/texts/home.ts'
import { nameIn, readTyped, type Typed } from '#lib/page/typed-address.ts'
import { gatherFigures } from '#lib/reads/gather-figures.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { visitorCookie } from '#lib/wallet/visitor.ts'
import { features } from '#site'
import { Steps } from './_home/agreement-steps.tsx'
import { Hero } from './_home/hero.tsx'
import { Home } from './_home/home.tsx'
import { LookUp } from './_home/look-up.tsx'
import { lookUpName } from './_home/look-up-name.ts'
import { HandOver } from './_ui/hand-over.tsx'

/**
 * A form without JavaScript depends on this response alone, so its figures get more time. A new visitor may have no JavaScript
 * either. A returning visitor has it, and the browser reads the figures itself.
 */
const typedWithinMs = 5000
const strangerWithinMs = 2000
const visitorWithinMs = 400

/** Responds at once. Where a name leads, and slow figures, chain by chain, are streamed later. */
export default async function Page({
  searchParams,
}: {
  searchParams: Promise<{ address?: string | string[] }>
}) {
  const typed = readTyped((await searchParams).address)
  const name = nameIn(typed)
  if (name === null) return <Found wish={typed} />
  return (
    <Suspense
      fallback={
        <p data-streamed>
          <span>{homeTexts.lookingUp}</span> <span translate="no">{name}</span>
        </p>
      }
    >
      <Found wish={typed} />
    </Suspense>
  )
}

/** The page of the address that was typed, or of the visitor. */
async function Found({ wish }: { readonly wish: Typed }) {
  const { typed, named } = await lookUpName(wish)
  const visitor = readVisitor((await cookies()).get(visitorCookie)?.value)
  const searchedAddress = typed.kind === 'address' ? typed.address : undefined
  const address = searchedAddress ?? visitor?.address
  const withinMs = searchedAddress ? typedWithinMs : visitor ? visitorWithinMs : strangerWithinMs
  const { state, ...late } = await gatherFigures(address, withinMs)
  return (
    <HandOver state={state}>
      <Home
        {...late}
        searchedAddress={searchedAddress}
        searchedName={named}
        hasPortfolio={features.portfolio}
        hero={<Hero typed={typed} />}
        lookUp={<LookUp typed={typed} />}
        steps={<Steps />}
      />
    </HandOver>
  )
}
