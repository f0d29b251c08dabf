import { describe, expect, test } from 'vitest'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { isSameResult, ownCallOf } from '#lib/certificate/own-node.ts'
import { shellLinesOf } from '#lib/certificate/shell-lines.ts'
import { resultShape } from '#rpc-proxy'
import { group } from '../../rpc-proxy/ledger/evidence.ts'
import { chain } from '../../rpc-proxy/wire/canonical-chain.ts'
import { signed } from './made-certificate.ts'

const certificate = signed()
const hash = `0x${'07'.repeat(32)}`
const head = signed({ method: 'eth_blockNumber', params: '[]' })
const objects = [
  ['a code', 'eth_getCode', '0x60ab'],
  ['a receipt', 'eth_getTransactionReceipt', chain.receipts[0]],
  ['receipts', 'eth_getBlockReceipts', chain.blockReceipts],
  ['a transaction', 'eth_getTransactionByHash', chain.transactions[0]],
  ['a block', 'eth_getBlockByNumber', chain.fullBlock],
  ['logs', 'eth_getLogs', chain.logs],
  ['a proof', 'eth_getProof', chain.proof],
] as const

/** As another client may write it: names in another order, hex in upper case, and members that nobody compares. */
function inOtherWords(value: unknown): unknown {
  if (typeof value === 'string') return `0x${value.slice(2).toUpperCase()}`
  if (Array.isArray(value)) return value.map(inOtherWords)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, inOtherWords(member)])
  return Object.fromEntries([...members.toReversed(), ['ofItsOwn', '0x1']])
}

/** Of an object, each member that is compared changed. */
function changesOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [`${value}00`, '0x']
  if (Array.isArray(value))
    return [value.slice(1), ...changesOf(value[0]).map((each) => [each, ...value.slice(1)])]
  const object = value as Readonly<Record<string, unknown>>
  return ['blockHash', 'transactionHash', 'stateRoot', 'balance', 'data', 'r'].flatMap((name) =>
    name in object ? [{ ...object, [name]: `0x${'12'.repeat(32)}` }] : [],
  )
}

const call = { method: 'eth_getBalance', params: ['0x01', '0x7'], result: '0x1' }

describe('the call of a link', () => {
  test('is shown where both digests are of it', async () => {
    const texts = { params: '["0x01","0x7"]', result: '"0x1"' }
    expect(await readKnownCall(certificate, texts)).toEqual(call)
    expect(await readKnownCall(certificate, { ...texts, result: '"0x2"' })).toBe('wrong')
    expect(await readKnownCall(certificate, { ...texts, params: '["0x02","0x7"]' })).toBe('wrong')
    expect(await readKnownCall(certificate, { ...texts, method: 'eth_getCode' })).toBe('wrong')
  })

  test('is not shown where it ended in a revert, whose words are no JSON', async () => {
    const reverted = signed({ groups: [group('revert 0x')] })
    expect(await readKnownCall(reverted, { params: '["0x01","0x7"]', result: 'revert 0x' })).toBe('wrong')
  })

  test('is not known where the link has none', async () => {
    expect(await readKnownCall(certificate, {})).toBe('none')
    expect(await readKnownCall(certificate, { params: ['[]', '[]'], result: '"0x1"' })).toBe('none')
  })
})

describe('a node of the visitor’s own', () => {
  test('is asked the same at the same block', () => {
    expect(ownCallOf(certificate, call)).toEqual({ method: 'eth_getBalance', params: ['0x01', '0x7'] })
    expect(ownCallOf(certificate, null)).toBeNull()
  })

  test('is asked for an object, of which the link need not have the result', () => {
    expect(ownCallOf(certificate, { ...call, result: { hash } })).not.toBeNull()
    expect(ownCallOf(certificate, { ...call, result: undefined })).not.toBeNull()
  })

  test('is not asked for what was joined, which lacks what every node says, or for what failed', () => {
    expect(ownCallOf(signed({ ruleId: 'joined', result: '{}' }), call)).toBeNull()
    expect(ownCallOf(signed({ outcome: 'failed', reason: 'disagree', result: null }), call)).toBeNull()
  })

  const shape = 'quantity'

  test('is asked for the block of a head', async () => {
    expect(ownCallOf(head, null)).toEqual({ method: 'eth_getBlockByNumber', params: ['0x7', false] })
    const isSame = (result: unknown) => isSameResult(head, null, { shape: null, result })
    expect(await isSame({ number: '0x7', hash })).toBe(true)
    expect(await isSame({ number: '0x7', hash: hash.replaceAll('7', '8') })).toBe(false)
    expect(await isSame(null)).toBe(false)
  })

  test('says the same, or something else', async () => {
    const isSame = (result: unknown) => isSameResult(certificate, call, { shape, result })
    expect(await isSame('0x1')).toBe(true)
    expect(await isSame('0x01')).toBe(true)
    expect(await isSame('0x2')).toBe(false)
    expect(await isSame(null)).toBe(false)
    expect(await isSame(undefined)).toBe(false)
  })

  test.each(objects)('says the same of %s, in whatever words', async (_, method, object) => {
    const ofObject = signed({ method, groups: [group(JSON.stringify(object))] })
    const known = { method, params: ['0x01', '0x7'], result: undefined }
    const isSame = (result: unknown) => isSameResult(ofObject, known, { shape: resultShape(method), result })
    expect(await isSame(object)).toBe(true)
    expect(await isSame(inOtherWords(object))).toBe(true)
    for (const other of changesOf(object)) expect(await isSame(other), JSON.stringify(other)).toBe(false)
    const [params, result] = [JSON.stringify(known.params), JSON.stringify(inOtherWords(object))]
    expect(await readKnownCall(ofObject, { params, result })).toMatchObject({ method })
    expect(await readKnownCall(ofObject, { params })).toMatchObject({ method, result: undefined })
    expect(await readKnownCall(ofObject, { params: '[]' })).toBe('wrong')
  })

  test('is asked by a line of a shell, in which no params end the quotes', () => {
    const lines = shellLinesOf({ method: 'eth_call', params: [{ data: "0x'; rm" }, '0x7'] })
    expect(lines.map(([name]) => name)).toEqual(['cast', 'curl'])
    for (const [, line] of lines) expect(line).toContain(`0x'\\''; rm`)
    expect(lines[0]?.[1]).toBe(`cast rpc --raw eth_call '[{"data":"0x'\\''; rm"},"0x7"]'`)
  })
})
