import { describe, expect, test } from 'vitest'
import { isHash } from '#lib/wallet/checks.ts'
import { isBatchId, submit } from '#lib/wallet/submit.ts'
import { isBatchError } from '#lib/wallet/wallet-errors.ts'

const hash = `0x${'aB'.repeat(32)}`
const maybeSent = 'It is not known whether it was sent'

const unclear = { kind: 'unclear', sentence: expect.stringContaining(maybeSent) }
const refused = { kind: 'refused', sentence: expect.stringMatching(/Nothing was sent\.$/) }
const failing = (error: unknown) => async () => Promise.reject(error)

describe('a wallet that is asked to send', () => {
  test('and returns a hash has sent', async () => {
    expect(await submit(async () => hash, isHash)).toEqual({ kind: 'sent', id: hash })
  })

  test.each([undefined, null, '', '0x', hash.slice(0, -1), `${hash}0`, hash.slice(2), { hash }, true])(
    'and answers %s may have sent',
    async (answer) => {
      expect(await submit(async () => answer, isHash)).toMatchObject(unclear)
    },
  )

  test.each([
    ['gremlins', unclear],
    ['already known', { kind: 'unclear', sentence: expect.stringContaining('on its way') }],
    ['User rejected the request.', refused],
  ])('and fails with “%s”: %o', async (message, outcome) => {
    expect(await submit(failing(new Error(message)), isHash)).toMatchObject(outcome)
  })

  describe('for several calls at once', () => {
    test('and returns an id of its own, has sent', async () => {
      expect(await submit(async () => 'batch 7', isBatchId)).toEqual({ kind: 'sent', id: 'batch 7' })
      expect(await submit(async () => 'a'.repeat(8194), isBatchId)).toMatchObject({ kind: 'sent' })
      for (const answer of ['', 'a'.repeat(8195), undefined, 7, { id: hash }])
        expect(await submit(async () => answer, isBatchId)).toMatchObject({ kind: 'unclear' })
    })

    test.each([5700, 5710, 5740, 5750, 5760])(
      'and answers %i, has sent nothing: each may be sent',
      async (code) => {
        const error = Object.assign(new Error('EIP-7702 upgrade rejected by the user'), { code })
        const submitted = await submit(failing(error), isBatchId)
        expect(submitted).toMatchObject(refused)
        expect('why' in submitted && isBatchError(submitted.why)).toBe(true)
      },
    )

    test('and knows their id already, may have sent them', async () => {
      const submitted = await submit(failing({ code: 5720 }), isBatchId)
      expect(submitted).toMatchObject({ kind: 'unclear', why: 'known-id' })
    })
  })
})
