import { describe, expect, test } from 'vitest'
import { verifyHeader } from '../../../../rpc-proxy/wire/header-hash.ts'
import { chain } from '../../../support/canonical-chain.ts'
import { createChance } from '../../../support/chance.ts'
import { flipBit } from '../../../support/random-state.ts'
import { headerNamed, headers } from '../proving/fixtures.ts'

type Fields = Readonly<Record<string, unknown>>

const verified = ({ block, chainId }: { block: Fields; chainId: number }) =>
  verifyHeader(block, { chainId, hash: String(block.hash) })

const osaka = headerNamed('Osaka')
const arbitrum = headerNamed('Arbitrum with its derived fields')
const polygon = headerNamed('Polygon after London, its signer as the miner')

const withFields = (header: typeof osaka, fields: Fields) => ({
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

  test('with the signer of Polygon as its miner is refused on other chains', () => {
    expect(verified({ ...polygon, chainId: 1 })).toBeNull()
  })

  test.each<[string, Fields]>([
    ...['baseFeePerGas', 'withdrawalsRoot', 'parentBeaconBlockRoot'].flatMap((name): [string, Fields][] => [
      [`has a gap without ${name}`, { [name]: undefined }],
      [`has a gap where ${name} is null`, { [name]: null }],
    ]),
    ['lacks its last field', { requestsHash: null }],
    ['has one field more', { blockAccessListHash: osaka.block.hash }],
    ['has another state root', { stateRoot: `0x${'11'.repeat(32)}` }],
    ['has a short state root', { stateRoot: '0x11' }],
    ['has an empty bloom', { logsBloom: '0x' }],
    ['has half a byte of extra data', { extraData: '0x1' }],
    ['has megabytes of extra data, which are not hashed', { extraData: `0x${'ab'.repeat(65_537)}` }],
    ['has no mix hash', { mixHash: undefined }],
    ['has gas as a number', { gasUsed: 7 }],
    ['has no miner', { miner: '0x' }],
    ['has a nonce of nine bytes', { nonce: `0x${'00'.repeat(9)}` }],
  ])('that %s does not hash to its hash', (_, fields) => {
    expect(verified(withFields(osaka, fields))).toBeNull()
  })

  test.each<[unknown]>([
    ...['hash', 'nonce', 'miner'].map((name): [unknown] => [{ ...osaka.block, [name]: null }]),
    [headerNamed('Prague').block],
    ...[null, [], 'text', 7].map((block): [unknown] => [block]),
  ])('is not %j under the hash of another one', (block) => {
    expect(verifyHeader(block, { chainId: 1, hash: osaka.block.hash })).toBeNull()
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
