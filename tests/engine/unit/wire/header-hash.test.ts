import { describe, expect, test } from 'vitest'
import { verifyHeader } from '../../../../rpc-proxy/wire/header-hash.ts'
import { chain } from '../../../support/canonical-chain.ts'
import { createChance } from '../../../support/chance.ts'
import { flipBit } from '../../../support/random-state.ts'
import { headerNamed, headers } from '../proving/fixtures.ts'

const verified = ({ block, chainId }: { block: Readonly<Record<string, unknown>>; chainId: number }) =>
  verifyHeader(block, { chainId, hash: String(block.hash) })

const osaka = headerNamed('Osaka')
const arbitrum = headerNamed('Arbitrum with its derived fields')
const polygon = headerNamed('Polygon after London, its signer as the miner')

const withFields = (header: typeof osaka, fields: Readonly<Record<string, unknown>>) => ({
  ...header,
  block: { ...header.block, ...fields } as typeof header.block,
})

describe('a header', () => {
  test.each(headers.map((header) => [header.name, header] as const))(
    'of %s hashes to its hash',
    (_, header) => {
      const { hash, number, stateRoot, receiptsRoot, logsBloom } = header.block
      expect(verified(header)).toMatchObject({ hash, number, stateRoot, receiptsRoot, logsBloom })
    },
  )

  test('of a local chain does too', () => {
    expect(verified({ block: chain.fullBlock, chainId: 31_337 })).not.toBeNull()
  })

  test('is told from what its node says of its hash: another one under the agreed hash is refused', () => {
    const lie = withFields(osaka, { stateRoot: `0x${'11'.repeat(32)}` })
    expect(verified(lie)).toBeNull()
    expect(verifyHeader(headerNamed('Prague').block, { chainId: 1, hash: osaka.block.hash })).toBeNull()
  })

  test('with the signer of Polygon as its miner is refused on other chains', () => {
    expect(verified({ ...polygon, chainId: 1 })).toBeNull()
  })

  test.each(['baseFeePerGas', 'withdrawalsRoot', 'parentBeaconBlockRoot'])(
    'without %s and with what follows it has a gap',
    (name) => {
      expect(verified(withFields(osaka, { [name]: undefined }))).toBeNull()
      expect(verified(withFields(osaka, { [name]: null }))).toBeNull()
    },
  )

  test('without its last field, or with one more, hashes to another hash', () => {
    expect(verified(withFields(osaka, { requestsHash: null }))).toBeNull()
    expect(verified(withFields(osaka, { blockAccessListHash: osaka.block.hash }))).toBeNull()
  })

  test.each(['hash', 'nonce', 'miner'])('with null for its %s is pending', (name) => {
    expect(verifyHeader({ ...osaka.block, [name]: null }, { chainId: 1, hash: osaka.block.hash })).toBeNull()
  })

  test.each([
    ['number', '0x0001757960'],
    ['nonce', '0x0'],
    ['requestsHash', osaka.block.requestsHash?.toString().toUpperCase().replace('0X', '0x')],
    ['totalDifficulty', '0x1'],
    ['withdrawals', null],
    ['invented', {}],
  ])('is the same with %s as %j', (name, value) => {
    expect(verified(withFields(osaka, { [name]: value }))).toEqual(verified(osaka))
  })

  test('says an empty list for requests where its chain has none', () => {
    expect(verified(withFields(polygon, { requestsHash: [] }))).toEqual(verified(polygon))
  })

  test.each([
    ['stateRoot', '0x11'],
    ['logsBloom', '0x'],
    ['extraData', '0x1'],
    ['mixHash', undefined],
    ['gasUsed', 7],
    ['miner', '0x'],
    ['nonce', `0x${'00'.repeat(9)}`],
  ])('whose %s is %j is malformed', (name, value) => {
    expect(verified(withFields(osaka, { [name]: value }))).toBeNull()
  })

  test.each([null, [], 'text', 7])('that is %j is malformed', (block) => {
    expect(verifyHeader(block, { chainId: 1, hash: osaka.block.hash })).toBeNull()
  })
})

describe('what Arbitrum writes beside the header', () => {
  test.each([
    ['sendRoot', `0x${'11'.repeat(32)}`],
    ['sendCount', '0x23fba'],
    ['l1BlockNumber', '0x15b88c5'],
  ])('must follow from it: %s', (name, lie) => {
    expect(verified(withFields(arbitrum, { [name]: lie }))).toBeNull()
  })

  test('is not checked in classic blocks, which have no base fee', () => {
    const classic = withFields({ ...headerNamed('Frontier'), chainId: 42_161 }, { l1BlockNumber: '0x1' })
    expect(verified(classic)).toEqual(verified(headerNamed('Frontier')))
  })

  test('may be left out', () => {
    const bare = withFields(arbitrum, { sendRoot: undefined, sendCount: null, l1BlockNumber: undefined })
    expect(verified(bare)).toEqual(verified(arbitrum))
  })
})

test('megabytes of extra data are not hashed', () => {
  const extraData = `0x${'ab'.repeat(65_537)}`
  expect(verified(withFields(osaka, { extraData }))).toBeNull()
})

test('no single bit of any header can be changed', () => {
  const chance = createChance(137)
  const accepted = Array.from({ length: 5000 }, () => {
    const { block, chainId, name } = chance.pick(headers)
    // Of Polygon's miner nothing is believed, and it is not returned.
    const ignored = ['size', 'totalDifficulty', ...(chainId === 137 ? ['miner'] : [])]
    const fields = Object.entries(block).flatMap(([field, value]) =>
      typeof value === 'string' && value !== '0x' && !ignored.includes(field)
        ? [[field, value] as const]
        : [],
    )
    const [field, value] = chance.pick(fields)
    const changed = { ...block, [field]: flipBit(value, chance) }
    return verifyHeader(changed, { chainId, hash: block.hash }) === null ? '' : `${name}: ${field}`
  })
  expect(accepted.filter(Boolean)).toEqual([])
})
