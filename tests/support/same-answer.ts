/** The outcome of one call. */
export interface Answered {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/**
 * Whether two results are equal: quantities by value, hex without case, objects by the keys that both have. Missing keys
 * are fields that not every client writes.
 */
export function saysTheSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (one == null || other == null) return one == null && other == null
  if (typeof one === 'string' && typeof other === 'string') return one.toLowerCase() === other.toLowerCase()
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) < 1e-6
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => saysTheSame(each, other[at]))
  if (typeof one !== 'object' || typeof other !== 'object') return false
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const shared = Object.keys(left).filter((key) => key in right)
  return shared.length > 0 && shared.every((key) => saysTheSame(left[key], right[key]))
}

const zeros = `0x${'0'.repeat(64)}`
const emptyHashes: Readonly<Record<string, string>> = {
  codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
}

/** A result without the known differences between clients. The rest must be equal. */
function plain(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result
  if ('storageProof' in result) return plainProof(result)
  return 'baseFeePerGas' in result && 'oldestBlock' in result ? plainFees(result) : result
}

/** Fills in the hashes of an account without code and storage; keys and values become quantities. */
function plainProof(proof: object): unknown {
  const entries = Object.entries(proof).map(([key, value]) => [
    key,
    value === zeros && key in emptyHashes ? emptyHashes[key] : value,
  ])
  const { storageProof } = proof as { storageProof: readonly { key: string; value: string }[] }
  const proofs = storageProof.map((each) => ({
    ...each,
    key: BigInt(each.key).toString(),
    value: BigInt(each.value).toString(),
  }))
  return { ...Object.fromEntries(entries), storageProof: proofs }
}

/** When no blob was used, a missing blob price equals zero or one wei. */
function plainFees(history: object): unknown {
  const { baseFeePerBlobGas, ...rest } = history as { baseFeePerBlobGas?: readonly string[] }
  const isIdle = (baseFeePerBlobGas ?? []).every((price) => BigInt(price) <= 1n)
  return isIdle ? rest : history
}

/** Equal results, or the same kind of error with the same revert data. */
export function isSame(answer: Answered, truth: Answered): boolean {
  if (truth.error === undefined)
    return answer.error === undefined && saysTheSame(plain(answer.result), plain(truth.result))
  return (
    answer.error !== undefined &&
    answer.error.code !== -32010 &&
    (truth.error.code !== 3 || (answer.error.code === 3 && answer.error.data === truth.error.data))
  )
}
