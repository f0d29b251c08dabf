import { isAddress } from 'viem'
import { expect, test } from 'vitest'
import config from '#config'
import { spendersOf } from '../../app/approvals/known-spenders.ts'

test.each(config.chains.map(({ id }) => id))(
  'the known spenders of chain %i are addresses, each once',
  (id) => {
    const addresses = spendersOf(id).map(({ address }) => address)
    expect(addresses.filter((address) => !isAddress(address))).toEqual([])
    expect(new Set(addresses.map((address) => address.toLowerCase())).size).toBe(addresses.length)
  },
)
