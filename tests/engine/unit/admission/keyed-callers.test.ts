import { type Address, serializeTransaction, type TransactionSerializable } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '#rpc-proxy'
import type { AdmissionOptions } from '../../../../rpc-proxy/admission/admission.ts'
import { KeyedCallers } from '../../../../rpc-proxy/admission/caller.ts'
import { hashOf } from '../../../../rpc-proxy/config/parse-config.ts'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'
import { door } from '../../support/admission.ts'

const key = 'a-key-of-twenty-four-chars'
const [allowed, other]: [Address, Address] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const chains = [{ id: 137, nodes: [{ name: 'a', url: 'https://a.example' }] }]
const configs = (...callers: object[]) => parseConfig({ chains, callers }, { KEY: key }).callers
const web = { name: 'web', keyHash: hashOf(key) }
const callerOf = (fields: object) => {
  const caller = new KeyedCallers(configs({ ...web, ...fields })).find(key)
  if (caller === null) throw new Error('no such key')
  return caller
}

const calling = (fields: object) => {
  const caller = callerOf(fields)
  return (method: string, ...params: unknown[]) =>
    expect(() => caller.check(methodSpec(method), methodSpec(method).parse(params)))
}
const refusal = (message: string) => expect.objectContaining({ error: expect.objectContaining({ message }) })
const noContract = refusal('this contract is not allowed for this key')

describe('a key', () => {
  test('is found by its hash, given as such or as a variable, and no other text is', () => {
    const callers = new KeyedCallers(configs({ name: 'web', key: '$' + '{KEY}' }))
    expect(callers.find(key)?.name).toBe('web')
    for (const text of ['', hashOf(key), `${key} `, key.slice(1), 'x'.repeat(100_000)])
      expect(callers.find(text)).toBeNull()
  })

  test('that is removed, or given to another caller, has ended; one that stays has not', () => {
    const second = { name: 'app', keyHash: hashOf('another-key-of-twenty-four') }
    const callers = new KeyedCallers(configs(web, second))
    const [first, app] = [callers.find(key), callers.find('another-key-of-twenty-four')]
    callers.reload(configs({ ...web, perSecond: 5 }, { ...second, name: 'app-2' }))
    expect([first?.ended.aborted, app?.ended.aborted]).toEqual([false, true])
    expect(callers.find(key)).toBe(first)
    callers.reload([])
    expect([first?.ended.aborted, callers.find(key), callers.hasBeenUsed]).toEqual([true, null, true])
  })
})

describe('a key may call', () => {
  test('the methods that it names, by name or prefix, and none that it refuses', () => {
    const call = calling({ methods: { allow: ['eth_get*', 'eth_chainId'], deny: ['eth_getCode'] } })
    call('eth_chainId').not.toThrow()
    call('eth_getBalance', allowed, 'latest').not.toThrow()
    call('eth_getCode', allowed, 'latest').toThrow(
      refusal('the method eth_getCode is not allowed for this key'),
    )
    call('eth_gasPrice').toThrow(refusal('the method eth_gasPrice is not allowed for this key'))
  })

  test.each([
    ['eth_call', (address: string) => [{ to: address }, 'latest']],
    ['eth_estimateGas', (address: string) => [{ to: address }]],
    ['eth_getLogs', (address: string) => [{ address }]],
    ['eth_getLogs', (address: string) => [{ address: [allowed, address] }]],
    ['eth_newFilter', (address: string) => [{ address }]],
    ['eth_subscribe', (address: string) => ['logs', { address }]],
  ])('its contracts and no others by %s', (method, paramsOf) => {
    const call = calling({ contracts: [allowed.toUpperCase().replace('0X', '0x')] })
    call(method, ...paramsOf(allowed)).not.toThrow()
    call(method, ...paramsOf(other)).toThrow(noContract)
  })

  test('no logs of all contracts, where it names some', () => {
    const call = calling({ contracts: [allowed] })
    call('eth_getLogs', {}).toThrow(noContract)
    call('eth_getLogs', { address: [] }).toThrow(noContract)
  })

  test.each(['legacy', 'eip2930', 'eip1559'] as const)(
    'with a transaction (%s) only its contracts',
    (type) => {
      const caller = callerOf({ contracts: [allowed] })
      const rawTo = (to?: Address) => {
        const common = { chainId: 137, nonce: 1, gas: 21_000n, ...(to !== undefined && { to }) }
        const [r, s] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`] as const
        const signature = { r, s, yParity: 0, v: 309n }
        return serializeTransaction({ ...common, type } as TransactionSerializable, signature)
      }
      const send = (raw: string) => () => caller.check(methodSpec('eth_sendRawTransaction'), [raw])
      expect(send(rawTo(allowed))).not.toThrow()
      for (const raw of [rawTo(other), rawTo(), '0x', '0xc0', '0x02c0', 'no hex'])
        expect(send(raw)).toThrow(noContract)
    },
  )
})

describe('a key may be used', () => {
  test('from its addresses and ranges, as hosts write them, and from nowhere else', () => {
    const caller = callerOf({ ips: ['198.51.100.0/24', '2001:db8::/32', '203.0.113.7'] })
    const from = (address: string | null) => caller.mayCallFrom(address)
    for (const address of ['198.51.100.255', '::ffff:198.51.100.1', '[2001:db8:1::9]:443', '203.0.113.7:80'])
      expect(from(address), address).toBe(true)
    for (const address of ['198.51.101.0', '2001:db9::1', '203.0.113.8', 'unknown', '', null])
      expect(from(address), String(address)).toBe(false)
    expect(callerOf({}).mayCallFrom(null)).toBe(true)
  })

  test('from its pages alone, where it names some', () => {
    const caller = callerOf({ origins: ['https://app.example'] })
    expect(
      ['https://app.example', 'https://app.example.evil', null].map((from) => caller.mayComeFrom(from)),
    ).toEqual([true, false, false])
    expect(callerOf({}).mayComeFrom('https://app.example')).toBeNull()
  })
})

describe('a key has a budget of its own', () => {
  const admissionOf = (
    fields: object,
    rate: AdmissionOptions['rate'] = { costPerMinute: 60, siteCallsPerSecond: null },
  ) => door({ limits: { inFlightMax: 8 }, rate, callers: configs({ ...web, ...fields }) })

  test('of so many units at once, and a second', () => {
    const { spend, time } = admissionOf({ perSecond: 10, burst: 30 })
    expect(spend(100, 'key:web')).toBe(30)
    time.ms += 1000
    expect(spend(100, 'key:web')).toBe(10)
    expect(spend(100, '203.0.113.7')).toBe(20)
  })

  test('of 20 s at once where burst is not set, and as any caller where no rate is', () => {
    expect(admissionOf({ perSecond: 2 }).spend(100, 'key:web')).toBe(40)
    expect(admissionOf({}).spend(100, 'key:web')).toBe(20)
  })

  test('where callers without a key have no limit', () => {
    const { spend } = admissionOf({ perSecond: 10, burst: 30 }, null)
    expect([spend(100, 'key:web'), spend(100, '203.0.113.7')]).toEqual([30, 100])
  })

  test('of so many units a month, and is told how long it is until the next one', () => {
    const { admission, time } = admissionOf({ perMonth: 3 }, null)
    const untilNextMs = 86_460_000
    time.ms = Date.UTC(2026, 11, 1) - untilNextMs
    const spec = { ...methodSpec('eth_getBalance'), cost: 1 }
    const spend = () => admission.call(spec, [allowed, 'latest'], 'key:web')
    expect([spend(), spend(), spend()]).toEqual([1, 1, 1])
    const tooMany = { kind: 'too-many-requests', retryAfterMs: untilNextMs }
    expect(spend).toThrow(expect.objectContaining(tooMany))
    time.ms += untilNextMs
    expect(spend()).toBe(1)
  })
})
