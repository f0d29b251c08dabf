import { createHash } from 'node:crypto'
import { concat, encodeFunctionData, type Hex, maxUint256, parseAbi, slice } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { plainText } from '#lib/page/plain-text.ts'
import type { ReadCall } from '#lib/page/reading.ts'
import { displayCall, sentenceMax } from '#lib/wallet/clear-signing.ts'
import { writeSentence, writeText } from '../../../app/_send/describe.ts'
import { agreed } from '../../support/readings.ts'
import { own as from, other, third as to, token } from './accounts.ts'
import { labelReplies, words } from './event-words.ts'

const { ours, deployments, registry } = vi.hoisted(() => ({
  registry: { commit: '', integrity: '' },
  ours: {} as Record<string, { descriptor: object; local?: Record<string, string> }>,
  deployments: {} as Record<string, object>,
}))
vi.mock('#descriptors', () => ({ descriptors: ours }))
vi.mock('#contracts', () => ({ deployments }))
vi.mock('#registry', () => ({ default: registry }))

const chainId = 10
const abi = parseAbi([
  'struct Order { address token; uint256 amount; uint256 deadline; }',
  'function stake(uint256 amount)',
  'function swap(address token, uint256 amount, uint256 least, uint256 deadline)',
  'function fill(Order order)',
  'function note(string text)',
  'function list(uint256[] amounts)',
  'function transferFrom(address sender, address recipient, uint256 amount)',
  'function faucet()',
])
const call = (functionName: string, args: readonly unknown[], target: Hex = to) => {
  const data = encodeFunctionData({ abi, functionName, args } as never)
  return { chainId, from, to: target, value: 0n, data, hasOwners: false }
}
const faucet = { 'faucet()': { intent: 'Take free tokens', fields: [] } }
/** A contract of others that has words for this call alone. */
const describeFriend = (address: string) => {
  const context = { contract: { deployments: [{ chainId, address }] } }
  ours.friend = { descriptor: { context, display: { formats: faucet } } }
}
const amountOf = (path: string, tokenPath = '$.metadata.constants.token') => ({
  path,
  label: 'Amount',
  format: 'tokenAmount',
  params: { tokenPath },
})
/** A token says 6 decimals and DUSD; anything else answers nothing. */
const readCalls = async (calls: readonly ReadCall[]) =>
  calls.map(({ params: [read] }) => {
    const { to: asked, data } = read as { to: string; data: string }
    return agreed(asked === token ? labelReplies[data] : '0x')
  })

/** Our descriptor has words for this call, and names this token. */
function describeAs(key: string, format: object, constants = { token: token as Hex }): void {
  const formats = { [key]: { intent: 'Do it', ...format } }
  ours.mine = { descriptor: { metadata: { constants }, display: { formats } } }
}
const display = (intent: ReturnType<typeof call>, isLocal = false) =>
  displayCall(intent, { readCalls, isLocal })
const wording = { figures: createFigures(), coin: { symbol: 'ETH', decimals: 18 } } as never
const sentence = async (intent: ReturnType<typeof call>, isLocal = false) => {
  const found = await display(intent, isLocal)
  return found && plainText(writeSentence(found.sentence, wording))
}
const swapKey = 'swap(address token, uint256 amount, uint256 least, uint256 deadline)'
const swapFields = [amountOf('amount', 'token'), { path: 'least', label: 'Receive', format: 'amount' }]
const elsewhere = { token: other as Hex }
const listKey = 'list(uint256[] amounts)'
const noteKey = 'note(string text)'
const stake = (field: object, constants = { token: token as Hex }, words = 'Stake {amount}') =>
  describeAs('stake(uint256 amount)', { interpolatedIntent: words, fields: [field] }, constants)

beforeEach(() => {
  for (const name of Object.keys(ours)) delete ours[name]
  deployments.mine = { abi, addresses: { [chainId]: to }, local: { [chainId]: other } }
})

describe('a review says in one sentence', () => {
  test('how much of which token, as the token writes its amounts', async () => {
    stake(amountOf('amount'))
    expect(await sentence(call('stake', [1_234_500_000n]))).toBe('Stake 1,234.5 DUSD')
    expect(await sentence(call('stake', [maxUint256]))).toBe('Stake Unlimited DUSD')
  })

  test('two amounts, one of them of the coin', async () => {
    const interpolatedIntent = 'Swap {amount} for at least {least}'
    describeAs(swapKey, { interpolatedIntent, fields: swapFields })
    const intent = call('swap', [token, 100_000_000n, 3n * 10n ** 16n, 9n])
    expect(await sentence(intent)).toBe('Swap 100 DUSD for at least 0.03 ETH')
    const amounts = (await display(intent))?.amounts
    expect(amounts?.map(({ units }) => units)).toEqual([100_000_000n, 3n * 10n ** 16n])
  })

  test('the amounts of a descriptor that has no sentence', async () => {
    describeAs('stake(uint256 amount)', { intent: 'Supply', fields: [amountOf('amount')] })
    expect(await sentence(call('stake', [5_000_000n]))).toBe('Supply 5 DUSD')
    describeAs(swapKey.replaceAll(', ', ','), { intent: 'Swap', fields: swapFields })
    const swap = call('swap', [token, 5_000_000n, 10n ** 18n, 9n])
    expect(await sentence(swap)).toBe('Swap: Amount 5 DUSD, Receive 1 ETH')
  })

  test('nothing of a call inside of the call', async () => {
    const field = { path: 'text', label: 'Call', format: 'calldata', params: { calleePath: '@.to' } }
    describeAs(noteKey, { fields: [field] })
    expect(await display(call('note', ['inner']))).toBeNull()
  })

  test('the units and the address of a token that does not say how its amounts are written', async () => {
    stake(amountOf('amount'), elsewhere)
    expect(await sentence(call('stake', [5n]))).toBe('Stake 5 0x70…79C8')
  })

  test('on a local chain the token of the local chain', async () => {
    stake(amountOf('amount'), elsewhere)
    Object.assign(ours.mine ?? {}, { local: { token } })
    const onLocal = call('stake', [5_000_000n], other)
    expect(await sentence(onLocal, true)).toBe('Stake 5 DUSD')
    expect(await sentence(onLocal, false)).toBeNull()
  })

  test('what a contract of others does, by the addresses of its descriptor', async () => {
    describeFriend(token.toLowerCase())
    expect(await sentence(call('faucet', [], token))).toBe('Take free tokens')
    expect(await sentence({ ...call('faucet', [], token), chainId: 1 })).toBeNull()
  })

  test('what moves by a call of any token, though not of a collection of items', async () => {
    const move = call('transferFrom', [from, other, 7_000_000n], token)
    expect(await sentence(move)).toBe('Move 7 DUSD from 0xf3…2266 to 0x70…79C8')
    expect(await sentence(call('transferFrom', [from, other, 7n], other))).toBeNull()
    // Also of a token that has a descriptor for other calls.
    describeFriend(token)
    expect(await sentence(move)).toContain('Move 7 DUSD')
  })

  test('nothing where the descriptor has no words for the call, or its bytes do not fit', async () => {
    stake(amountOf('amount'))
    expect(await display(call('faucet', []))).toBeNull()
    const whole = call('stake', [5n])
    expect(await display({ ...whole, data: slice(whole.data, 0, -1) })).toBeNull()
    stake({ ...amountOf('amount'), path: 'nothing' })
    expect(await display(whole)).toBeNull()
  })

  test('the intent where a text of the call makes the sentence long', async () => {
    const fields = [{ path: 'text', label: 'Text', format: 'raw' }]
    const intent = 'Leave a note'
    describeAs(noteKey, { intent, interpolatedIntent: 'Note {text}', fields })
    expect(await sentence(call('note', ['x'.repeat(sentenceMax - 5)]))).toHaveLength(sentenceMax)
    expect(await sentence(call('note', ['x'.repeat(sentenceMax - 4)]))).toBe(intent)
  })
})

describe('a hostile descriptor or call', () => {
  test('cannot write an amount as another one', async () => {
    for (const params of [
      { tokenPath: '$.metadata.constants.token', threshold: '0x0', message: '0.01' },
      { token: '$.metadata.token' },
    ]) {
      stake({ ...amountOf('amount'), params })
      const [amount] = (await display(call('stake', [5_000_000n])))?.amounts ?? []
      expect(amount?.units).toBe(5_000_000n)
    }
  })

  test('cannot hide a text behind invisible characters', async () => {
    stake(amountOf('amount'), { token }, 'Stake \u202e{amount}')
    expect(await sentence(call('stake', [5_000_000n]))).toBe('Stake \\u{202e}5 DUSD')
  })

  test('says of each element of a list which one it is', async () => {
    const field = { path: 'amounts.[]', label: 'Share', format: 'raw', separator: 'Heir {index}' }
    describeAs(listKey, { fields: [field] })
    const labels = (await display(call('list', [[1n, 2n]])))?.fields.map(({ label }) => label)
    expect(labels).toEqual(['Heir 0: Share', 'Heir 1: Share'])
  })

  test('does not hold up the page with a list that claims to be endless', async () => {
    const field = { path: 'amounts.[]', label: 'Each', format: 'raw' }
    describeAs(listKey, { fields: [field] })
    const honest = call('list', [[1n, 2n]])
    expect((await display(honest))?.fields.map(({ value }) => writeText(value, wording))).toEqual(['1', '2'])
    const data = concat([slice(honest.data, 0, 4), words(32n, 2n ** 60n)])
    expect(await display({ ...honest, data })).toBeNull()
  })
})

describe('what the descriptor leaves out is listed', () => {
  const omitted = async (field: object, intent: ReturnType<typeof call>, key: string) => {
    describeAs(key, { fields: [field].flat() })
    return (await display(intent))?.omitted.map(({ name }) => name)
  }

  test('arguments without a field, and those that are shown only at times', async () => {
    const intent = call('swap', [token, 1n, 2n, 9n])
    const names = await omitted(amountOf('amount', 'token'), intent, swapKey)
    expect(names).toEqual(['token', 'least', 'deadline'])
    const field = { path: 'amount', label: 'A', format: 'raw' }
    for (const visible of ['never', { ifNotIn: [1] }])
      expect(await omitted({ ...field, visible }, intent, swapKey)).toContain('amount')
  })

  test('a struct of which a member is left out, and none of which all are shown', async () => {
    const intent = call('fill', [{ token, amount: 1n, deadline: 9n }])
    const key = 'fill((address token, uint256 amount, uint256 deadline) order)'
    const fields = (prefix = '#.order.') =>
      ['token', 'amount', 'deadline'].map((name) => ({ path: prefix + name, label: name, format: 'raw' }))
    expect(await omitted(fields().slice(0, 2), intent, key)).toEqual(['order'])
    expect(await omitted(fields(), intent, key)).toEqual([])
    expect(await omitted({ path: 'order', label: 'Order', fields: fields('') }, intent, key)).toEqual([])
  })

  test.each([
    ['a list of which one element is shown', 'amounts.[0]', ['amounts']],
    ['nothing of a list of which each is shown', 'amounts.[]', []],
  ])('%s', async (_, path, names) => {
    const field = { path, label: 'Each', format: 'raw' }
    expect(await omitted(field, call('list', [[1n, 2n]]), listKey)).toEqual(names)
  })
})

describe('the public registry', () => {
  const path = 'registry/mine/calldata-mine.json'
  const descriptor = { display: { formats: faucet } }
  const integrityOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

  /** A site whose index pins the descriptor, and serves this text for it. */
  function serve(text: string): readonly string[] {
    const contracts = { [`eip155:${chainId}:${to.toLowerCase()}`]: path }
    const files = { [path]: integrityOf(JSON.stringify(descriptor)) }
    const index = JSON.stringify({ contracts, files })
    const texts = new Map([
      ['/descriptors/index.json', index],
      [`/descriptors/${path}`, text],
    ])
    registry.integrity = integrityOf(index)
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string, { integrity }: { readonly integrity: string }) => {
      asked.push(url)
      const found = texts.get(url) ?? ''
      if (integrityOf(found) !== integrity) throw new TypeError('another content, as browsers refuse it')
      return new Response(found)
    })
    return asked
  }
  afterEach(() => {
    registry.integrity = ''
  })

  test('has words for a contract without any of ours', async () => {
    serve(JSON.stringify(descriptor))
    expect(await sentence(call('faucet', []))).toBe('Take free tokens')
    expect(await sentence(call('faucet', [], other))).toBeNull()
  })

  test('is not asked where ours has words, nor where nothing is pinned', async () => {
    const asked = serve(JSON.stringify(descriptor))
    stake(amountOf('amount'))
    expect(await sentence(call('stake', [5_000_000n]))).toBe('Stake 5 DUSD')
    registry.integrity = ''
    expect(await display(call('faucet', []))).toBeNull()
    expect(asked).toEqual([])
  })

  test('is not believed where its file is not the one that was pinned', async () => {
    serve(JSON.stringify({ ...descriptor, metadata: {} }))
    await expect(display(call('faucet', []))).rejects.toThrow('another content')
  })
})
