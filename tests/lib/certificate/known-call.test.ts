import { describe, expect, test } from 'vitest'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { group } from '../../support/evidence.ts'
import { ofReceipt, receipt, signed } from './made-certificate.ts'

const certificate = signed()
const params = '["0x01","0x7"]'

describe('the call of a link', () => {
  test('is shown where both digests are of it', async () => {
    const texts = { params, result: '"0x1"' }
    const call = { method: 'eth_getBalance', params: ['0x01', '0x7'], result: '0x1' }
    expect(await readKnownCall(certificate, texts)).toEqual(call)
    for (const other of [{ result: '"0x2"' }, { params: '["0x02","0x7"]' }, { method: 'eth_getCode' }])
      expect(await readKnownCall(certificate, { ...texts, ...other })).toBe('wrong')
  })

  test('is not shown where it ended in a revert, whose words are no JSON', async () => {
    const reverted = signed({ groups: [group('revert 0x')] })
    expect(await readKnownCall(reverted, { params, result: 'revert 0x' })).toBe('wrong')
  })

  test('is not known where the link lacks it', async () => {
    for (const texts of [{}, { params }, { params: ['[]', '[]'], result: '"0x1"' }])
      expect(await readKnownCall(certificate, texts)).toBe('none')
  })

  test('is shown with an object in the words of another client', async () => {
    const readAs = (result: object) =>
      readKnownCall(signed(ofReceipt), { params, result: JSON.stringify({ timeboosted: true, ...result }) })
    const known = await readAs(Object.fromEntries(Object.entries(receipt).toReversed()))
    expect(known).toMatchObject({ method: ofReceipt.method, result: { status: '0x1' } })
    // The link has a member that is not part of the certified result.
    expect(known).not.toHaveProperty('result.timeboosted')
    expect(await readAs({ ...receipt, status: '0x0' })).toBe('wrong')
  })
})
