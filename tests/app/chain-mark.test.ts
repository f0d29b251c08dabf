import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ChainMark } from '../../app/_ui/chain-mark.tsx'

const mark = (id: number, name: string) => renderToStaticMarkup(ChainMark({ id, name, size: 32 }))
const tint = (svg: string) => /--tint:([^"]+)/.exec(svg)?.[1]

test('a chain without a drawn mark shows its first letter on a colour of its own', () => {
  expect(mark(10, 'op mainnet')).toMatch(/<text[^>]*>O<\/text>/)
  expect(tint(mark(10, 'OP Mainnet'))).not.toBe(tint(mark(11, 'OP Mainnet')))
  expect(mark(137, 'Polygon')).not.toContain('<text')
})
