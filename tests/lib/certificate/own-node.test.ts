import { describe, expect, test } from 'vitest'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { isSameResult, ownCallOf, shellLinesOf } from '#lib/certificate/own-node.ts'
import { group } from '../../rpc-proxy/ledger/evidence.ts'
import { signed } from './made-certificate.ts'

const certificate = signed()
const hash = `0x${'07'.repeat(32)}`
const head = signed({ method: 'eth_blockNumber', params: '[]' })
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

  test('is not asked for an object, which honest nodes write in different ways', () => {
    expect(ownCallOf(certificate, { ...call, result: { hash } })).toBeNull()
  })

  test('is asked for the block of a head', () => {
    expect(ownCallOf(head, null)).toEqual({ method: 'eth_getBlockByNumber', params: ['0x7', false] })
    expect(isSameResult(head, null, { number: '0x7', hash })).toBe(true)
    expect(isSameResult(head, null, { number: '0x7', hash: hash.replaceAll('7', '8') })).toBe(false)
    expect(isSameResult(head, null, null)).toBe(false)
  })

  test('says the same, or something else', () => {
    expect(isSameResult(certificate, call, '0x1')).toBe(true)
    expect(isSameResult(certificate, call, '0x2')).toBe(false)
    expect(isSameResult(certificate, call, undefined)).toBe(false)
  })

  test('is asked by a line of a shell, in which no params end the quotes', () => {
    const lines = shellLinesOf({ method: 'eth_call', params: [{ data: "0x'; rm" }, '0x7'] })
    expect(lines.map(([name]) => name)).toEqual(['cast', 'curl'])
    for (const [, line] of lines) expect(line).toContain(`0x'\\''; rm`)
    expect(lines[0]?.[1]).toBe(`cast rpc --raw eth_call '[{"data":"0x'\\''; rm"},"0x7"]'`)
  })
})
