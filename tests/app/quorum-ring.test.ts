import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AgreementRing } from '../../app/_ui/quorum-ring.tsx'

const two = { operators: 2, dissenting: 0, unreached: 0 }

test.each([
  ['is full where all who were asked agree', two, 2],
  ['has a gap for an operator that disagreed', { ...two, dissenting: 1 }, 3],
  ['has a gap for each operator that could not be reached', { ...two, unreached: 4 }, 6],
])('the ring of two operators %s', (_, quorum, segments) => {
  const ring = renderToStaticMarkup(AgreementRing({ quorum, size: 40 }))
  expect(ring.match(/pathLength="(\d+)"/)?.[1]).toBe(String(segments))
})
