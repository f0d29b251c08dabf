import { headers } from 'next/headers'
import { chains } from '#lib/engine/chain-facts.ts'
import { isOperator, operatorBySession } from '#lib/operator/operator.ts'
import { operatorCookies } from '#lib/operator/operator-session.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'

/** Who looks at a page of the operator, and how numbers are written for them. */
export async function readViewer() {
  const sent = await headers()
  const cookies = sent.get('cookie') ?? ''
  const verdict = operatorBySession(cookies)
  const marks = numberMarks(sent.get('accept-language'))
  return {
    verdict,
    /** What the engine is read with; null for all but the operator. */
    cookie: isOperator(verdict) ? operatorCookies(cookies) : null,
    marks,
    figures: createFigures(marks),
  }
}

export function chainName(chainId: number): string {
  return chains().find(({ id }) => id === chainId)?.name ?? String(chainId)
}
