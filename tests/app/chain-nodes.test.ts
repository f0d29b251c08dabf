import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { ChainNodes, LieLine } from '../../app/status/_status/chain-nodes.tsx'
import { rpc } from '../support/gateway-calls.ts'
import { says } from '../support/replies.ts'
import { worldOf } from '../support/world.ts'

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '')

test('the table of nodes shows an idle witness as one: no alarm, and dashes where it was never asked', async () => {
  const world = worldOf([says('0x1'), says('0x1'), { reply: says('0x1'), role: 'witness' }])
  await rpc(world, 'eth_blockNumber')
  const { chains, atMs } = world.gateway.snapshot()
  const chain = { ...chains[0]!, protectedHead: { number: 998, hash: '0x02' } }
  const off = { actions: false, faults: false, children: null }
  const props = { chain, name: 'Polygon', figures: createFigures(), atMs, ...off }
  const view = renderToStaticMarkup(ChainNodes(props))
  const [, , voter = '', , witness = ''] = view.split('<tr')
  expect(textOf(voter)).not.toMatch(/witness|standing by/)
  expect(witness).toContain('witness: asked only when a voter fails')
  expect(witness).toContain('data-state="standby"')
  expect(witness).not.toContain('data-alarm="true"')
  const cells = witness.match(/<td[^>]*>.*?<\/td>/g)?.map(textOf)
  expect(cells?.slice(0, 4)).toEqual(['standing by', '1', '–', '–'])
  expect(view).toContain('healthy')
  expect(view).toContain('protected 998')
})

function lineOf(fields: Partial<Parameters<typeof LieLine>[0]['chain']>): string {
  const proofs = { calls: 0, proven: 0, saved: 0, forged: 0 }
  const operatorsToLie = { everyday: 2, protected: 4 }
  const chain = { everydayRule: 'everyday', operatorsToLie, proofs, signed: null, ...fields } as const
  return renderToStaticMarkup(LieLine({ chain }))
}

test.each([
  ['everyday', 2, 'true', /^Only 2 operators would/],
  ['tightened', 4, 'false', /^A voter is missing: .* 4 operators would/],
  ['thin', 2, 'true', /results are thin\. Only 2 operators would/],
] as const)(
  'while rounds are %s and %i operators could lie, a chain says so',
  (everydayRule, everyday, isCheap, words) => {
    const view = lineOf({ everydayRule, operatorsToLie: { everyday, protected: 4 } })
    expect(view).toContain(`data-cheap="${isCheap}"`)
    expect(textOf(view)).toMatch(words)
    expect(view).not.toContain('proven')
  },
)

const block = { number: 24_000_000, hash: '0x' }
test.each([
  [
    'how many calls were proven, and how many proofs were forged',
    { proofs: { calls: 900, proven: 412, saved: 380, forged: 1 } },
    '412 calls were proven by one node, 46 % of all, which saved 380 requests; 1 proof was forged.',
  ],
  [
    'what the sync committee has signed',
    { signed: { block, timeMs: null, faults: [] } },
    'Block 24000000 is final by signature',
  ],
  [
    'which beacon API keeps it from a signature',
    { signed: { block: null, timeMs: null, faults: ['beacon API 1: it cannot be reached'] } },
    'No signature of the sync committee is known yet. beacon API 1: it cannot be reached.',
  ],
])('a chain says %s', (_, fields, text) => {
  expect(textOf(lineOf(fields))).toContain(text)
})
