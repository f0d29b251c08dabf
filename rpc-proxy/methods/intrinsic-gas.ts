import type { CallObject } from './call-object.ts'

/** Gas that a transaction pays before its first instruction: EIP-2, 2028, 2930, 3860 and 7702, as go-ethereum's IntrinsicGas. */
const costs = {
  transaction: 21_000,
  creation: 32_000,
  initcodeWord: 2,
  zeroByte: 4,
  otherByte: 16,
  accessListAddress: 2400,
  accessListKey: 1900,
  authorization: 25_000,
}

const wordBytes = 32

export function intrinsicGas({
  to,
  data = '0x',
  accessList = [],
  authorizationList = [],
}: CallObject): number {
  const bytes = data.slice(2).match(/../g) ?? []
  const zeros = bytes.filter((byte) => byte === '00').length
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
  const creation =
    to === undefined ? costs.creation + costs.initcodeWord * Math.ceil(bytes.length / wordBytes) : 0
  return (
    costs.transaction +
    creation +
    zeros * costs.zeroByte +
    (bytes.length - zeros) * costs.otherByte +
    accessList.length * costs.accessListAddress +
    keys * costs.accessListKey +
    authorizationList.length * costs.authorization
  )
}
