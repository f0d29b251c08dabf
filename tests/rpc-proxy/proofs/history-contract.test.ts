import { expect, test } from 'vitest'
import { historySlot } from '../../../rpc-proxy/proofs/history-contract.ts'

const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

test.each([
  [1, 20_000, 20_000, null],
  [1, 19_999, 20_000, word(19_999 % 8191)],
  [137, 20_000 - 8191, 20_000, word((20_000 - 8191) % 8191)],
  [1, 20_000 - 8192, 20_000, null],
  [42_161, 400_000_000 - 393_168, 400_000_000, word((400_000_000 - 393_168) % 393_168)],
  [42_161, 400_000_000 - 393_169, 400_000_000, null],
])(
  'chain %i keeps the hash of block %i in the state of block %i in slot %s',
  (chainId, number, head, slot) => {
    expect(historySlot(chainId, number, head)).toBe(slot)
  },
)
