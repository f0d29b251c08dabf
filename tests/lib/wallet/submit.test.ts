import { describe, expect, test } from 'vitest'
import { submit } from '#lib/wallet/submit.ts'

const hash = `0x${'aB'.repeat(32)}`
const maybeSent = 'It is not known whether it was sent'

describe('a wallet that is asked to send', () => {
  test('and returns a hash has sent', async () => {
    expect(await submit(async () => hash)).toEqual({ kind: 'sent', hash })
  })

  test.each([undefined, null, '', '0x', hash.slice(0, -1), `${hash}0`, hash.slice(2), { hash }, true])(
    'and answers %s may have sent',
    async (answer) => {
      const submitted = await submit(async () => answer)
      expect(submitted).toMatchObject({ kind: 'unclear', sentence: expect.stringContaining(maybeSent) })
    },
  )

  test.each([
    ['gremlins'],
    ['request timed out'],
    ['Failed to fetch'],
    ['failed to meet quorum'],
    ['insufficient funds'],
    ['nonce too low'],
    ['execution reverted'],
  ])('and fails with “%s” may have sent', async (message) => {
    const submitted = await submit(async () => Promise.reject(new Error(message)))
    expect(submitted).toMatchObject({ kind: 'unclear', sentence: expect.stringContaining(maybeSent) })
  })

  test.each([['User rejected the request.'], ['user denied transaction signature']])(
    'and fails with “%s” has not',
    async (message) => {
      const submitted = await submit(async () => Promise.reject(new Error(message)))
      expect(submitted.kind).toBe('refused')
      expect(submitted).toMatchObject({ sentence: expect.stringMatching(/Nothing was sent\.$/) })
    },
  )

  test('and reports that it is already known has sent', async () => {
    const submitted = await submit(async () => Promise.reject(new Error('already known')))
    expect(submitted).toMatchObject({ kind: 'unclear', sentence: expect.stringContaining('on its way') })
  })
})
