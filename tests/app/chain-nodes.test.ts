import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { ChainNodes, LieLine } from '../../app/status/_status/chain-nodes.tsx'
import { rpc } from '../support/gateway-calls.ts'
import { says } from '../support/replies.ts'
import { worldOf } from '../support/world.ts'

test('the table of nodes shows an idle witness as one: no alarm, and dashes where it was never asked', async () => {
  const world = worldOf([says('0x1'), says('0x1'), { reply: says('0x1'), role: 'witness' }])
  await rpc(world, 'eth_blockNumber')
  const { chains, atMs } = world.gateway.snapshot()
  const [chain] = chains
  if (chain === undefined) throw new Error('no chain')
  const view = renderToStaticMarkup(
    ChainNodes({
      chain: { ...chain, protectedHead: { number: 998, hash: '0x02' } },
      name: 'Polygon',
      figures: createFigures(),
      atMs,
      actions: false,
      faults: false,
      children: null,
    }),
  )
  const [, , voter, , witness] = view.split('<tr')
  expect(voter?.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/witness|standing by/)
  expect(witness).toContain('witness: asked only when a voter fails')
  expect(witness).toContain('data-state="standby"')
  expect(witness).not.toContain('data-alarm="true"')
  const cells = witness?.match(/<td[^>]*>.*?<\/td>/g)?.map((cell) => cell.replaceAll(/<[^>]*>/g, ''))
  expect(cells?.slice(0, 4)).toEqual(['standing by', '1', '–', '–'])
  expect(view).toContain('healthy')
  expect(view).toContain('protected 998')
})

const lineOf = (fields: Partial<Parameters<typeof LieLine>[0]['chain']>) =>
  renderToStaticMarkup(
    LieLine({
      chain: {
        everydayRule: 'everyday',
        operatorsToLie: { everyday: 2, protected: 4 },
        proofs: { calls: 0, proven: 0, saved: 0, forged: 0 },
        signed: null,
        ...fields,
      },
    }),
  )

test.each([
  ['everyday', 2, 'true', /^Only 2 operators would/],
  ['tightened', 4, 'false', /^A voter is missing: .* 4 operators would/],
  ['thin', 2, 'true', /results are thin\. Only 2 operators would/],
] as const)(
  'while rounds are %s and %i operators could lie, a chain says so',
  (everydayRule, everyday, isCheap, words) => {
    const view = lineOf({ everydayRule, operatorsToLie: { everyday, protected: 4 } })
    expect(view).toContain(`data-cheap="${isCheap}"`)
    expect(view.replaceAll(/<[^>]*>/g, '')).toMatch(words)
    expect(view).not.toContain('proven')
  },
)

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '')

test('a chain says how many calls were proven, and how many proofs were forged', () => {
  expect(textOf(lineOf({ proofs: { calls: 900, proven: 412, saved: 380, forged: 1 } }))).toContain(
    '412 calls were proven by one node, 46 % of all, which saved 380 requests; 1 proof was forged.',
  )
})

test('a chain says what the sync committee has signed, and which beacon API keeps it from more', () => {
  const block = { number: 24_000_000, hash: '0x' }
  expect(textOf(lineOf({ signed: { block, timeMs: null, faults: [] } }))).toContain(
    'Block 24000000 is final by signature',
  )
  const faults = ['beacon API 1: it cannot be reached']
  expect(lineOf({ signed: { block: null, timeMs: null, faults } })).toContain(
    'No signature of the sync committee is known yet. beacon API 1: it cannot be reached.',
  )
})
