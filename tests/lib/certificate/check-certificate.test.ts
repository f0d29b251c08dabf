import { describe, expect, test, vi } from 'vitest'
import { canonicalJson } from '#lib/certificate/canonical-json.ts'
import { parseCertificate } from '#lib/certificate/certificate-text.ts'
import { checkCertificate, isTextOf, operatorsToForge } from '#lib/certificate/check-certificate.ts'
import type { PublicCertificate, UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { group } from '../../support/evidence.ts'
import { signed, signer, unsigned } from './made-certificate.ts'

const { publicKey } = signer.key
const verdictOf = async (value: unknown, key: string | null = publicKey) =>
  (await checkCertificate(value, key)).verdict
const failuresOf = async (value: unknown, key: string | null = null) =>
  (await checkCertificate(value, key)).checks
    .filter(({ state }) => state === 'failed')
    .map(({ name }) => name)

type Path = readonly (string | number)[]

/** Every value in it that is no object or list, and every object and list, by its path. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    ...(at.length === 0 ? [] : [at]),
    ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...at, name])),
  ]
}

function edited(value: unknown, [name, ...rest]: Path, edit: (old: unknown) => unknown): unknown {
  if (name === undefined) return edit(value)
  const copy = structuredClone(value) as Record<string, unknown>
  copy[name] = edited(copy[name], rest, edit)
  return copy
}

/** Another value of its kind, so that only its meaning is wrong. */
function otherThan(old: unknown): unknown {
  if (typeof old === 'number') return old + 1
  if (typeof old === 'boolean') return !old
  if (typeof old === 'string') return /^[0-9a-f]+$/.test(old) ? flipped(old) : `${old}x`
  if (Array.isArray(old)) return old.slice(1)
  return old === null ? 'other' : null
}

const flipped = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`

describe('a certificate', () => {
  test('of a quorum, signed by the expected key, is valid', async () => {
    expect(await checkCertificate(signed(), publicKey)).toMatchObject({
      verdict: 'valid',
      checks: [
        ...['format', 'signature', 'key', 'votes', 'quorum'].map((name) => ({ name, state: 'passed' })),
        { name: 'proof', state: 'absent' },
      ],
    })
    expect(await verdictOf(JSON.parse(JSON.stringify(signed())))).toBe('valid')
  })

  test('is valid in a browser whose Web Crypto has no Ed25519', async () => {
    const fault = new DOMException('unrecognized name', 'NotSupportedError')
    vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(fault)
    expect(await verdictOf(signed())).toBe('valid')
  })

  test('has a signature that Web Crypto accepts too', async () => {
    const { signature, ...of } = signed()
    const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
    const key = await crypto.subtle.importKey('raw', bytes(publicKey), 'Ed25519', false, ['verify'])
    const text = new TextEncoder().encode(canonicalJson(of))
    expect(await crypto.subtle.verify('Ed25519', key, bytes(signature!.value), text)).toBe(true)
  })

  test.each([
    ['of the certificate', '{', '{"outcome":"failed",'],
    ['of a vote', '"votes":[{', '"votes":[{"operator":"nobody",'],
    ['written in another way', '{', '{"out\\u0063ome":"failed",'],
  ])('is refused with a member twice, of which other readers take the first: %s', async (_, from, to) => {
    const text = JSON.stringify(signed())
    const twice = text.replace(from, to)
    expect(JSON.parse(twice)).toEqual(JSON.parse(text))
    expect(await verdictOf(parseCertificate(text))).toBe('valid')
    expect(await verdictOf(parseCertificate(twice))).toBe('refused')
  })

  test('is refused, whichever of its fields is edited', async () => {
    const certificate = signed()
    const paths = pathsOf(certificate)
    expect(paths.length).toBeGreaterThan(35)
    const accepted: string[] = []
    for (const path of paths)
      for (const edit of [otherThan, () => undefined, () => 'other', () => 5])
        if ((await verdictOf(edited(certificate, path, edit), null)) === 'valid')
          accepted.push(path.join('.'))
    expect(accepted).toEqual([])
  })

  test('is refused with a member that version 1 does not have', async () => {
    expect(await failuresOf({ ...signed(), note: 'trust me' })).toEqual(['format'])
    expect(await verdictOf(null)).toBe('refused')
    expect(await verdictOf([])).toBe('refused')
  })

  test('without a signature says so, and is refused where a key is expected', async () => {
    const certificate: PublicCertificate = { ...unsigned(), signature: null }
    expect(await verdictOf(certificate, null)).toBe('unsigned')
    expect(await failuresOf(certificate, publicKey)).toEqual(['key'])
  })

  test('by another key than the expected one is refused', async () => {
    expect(await failuresOf(signed(), '22'.repeat(32))).toEqual(['key'])
  })

  const lies: readonly (readonly [string, UnsignedCertificate, string])[] = [
    ['has too little weight', { ...unsigned(), quorum: { weight: 3, operators: 2 } }, 'quorum'],
    ['has too few operators', { ...unsigned(), quorum: { weight: 2, operators: 3 } }, 'quorum'],
    ['takes no weight', withVotes(() => ({ weight: 0 })), 'quorum'],
    [
      'lacks an operator that must vote',
      withVotes(({ operator }) => ({ required: operator === 'c' })),
      'quorum',
    ],
    ['counts a vote for something else', withVotes(() => ({ supports: true })), 'votes'],
    [
      'leaves out a vote for the result',
      withVotes(({ operator }) => (operator === 'a' ? { supports: false } : {})),
      'votes',
    ],
    ['counts an operator twice', withVotes(() => ({ operator: 'a' })), 'votes'],
    ['has a result though it failed', { ...unsigned(), outcome: 'failed', reason: 'disagree' }, 'votes'],
    ['has a reason though it agreed', { ...unsigned(), reason: 'disagree' }, 'votes'],
  ]

  test.each(lies)('that %s is refused, though its signature is right', async (_, certificate, name) => {
    expect(await failuresOf(signer.sign(certificate), publicKey)).toContain(name)
  })

  test('of a result that was derived from several counts who stands behind it', async () => {
    const derived = { ruleId: 'highest-reached', result: '"0x3"' } as const
    expect(await verdictOf(signed(derived))).toBe('valid')
    expect(await failuresOf(signed({ ...derived, ruleId: 'quorum' }))).toEqual(['votes'])
  })

  test('of a transaction that is mined for some nodes and pending for others counts both groups', async () => {
    const pending = { ruleId: 'pending-quorum', supporters: 0b111, agreed: 3 } as const
    const certificate = signed(pending)
    expect(certificate.votes.map(({ supports }) => supports)).toEqual([true, true, true])
    expect(await verdictOf(certificate)).toBe('valid')
    expect(await failuresOf(signed({ ...pending, ruleId: 'quorum' }))).toEqual(['votes'])
  })

  test('of an estimate is valid if a confirming operator has no estimate', async () => {
    const confirming = { result: '"0x1"', supporters: 0b101, groups: [group('"0x1"')] } as const
    expect(await verdictOf(signed({ ...confirming, ruleId: 'confirmed' }))).toBe('valid')
    expect(await failuresOf(signed({ ...confirming, ruleId: 'highest-reached' }))).toEqual(['votes'])
  })

  test('of what was proven long before says that it has the proof no more, and is valid for its votes', async () => {
    const certificate = signed({ ruleId: 'proven' })
    expect(certificate).toMatchObject({ proof: null, proofAbsent: 'forgotten' })
    expect(await verdictOf(certificate)).toBe('valid')
    expect(signed({ ruleId: 'proven', proof: 'blooms' })).toMatchObject({
      proof: null,
      proofAbsent: 'blooms',
    })
    expect(signed()).toMatchObject({ proof: null, proofAbsent: null })
  })

  test('of a thin result or of a failure claims no quorum', async () => {
    expect(await verdictOf(signed({ isThin: true, needed: 9 }))).toBe('valid')
    expect(await verdictOf(signed({ outcome: 'failed', reason: 'disagree', result: null }))).toBe('valid')
  })

  test('tells nothing of nodes, texts and requests', () => {
    const text = JSON.stringify(
      unsigned({ groups: [{ ...group('"0xsecret"'), nodes: ['node-of-a'] }], difference: [] }),
    )
    expect(text).not.toMatch(/node-of-a|secret|requests|0x01/)
  })
})

function withVotes(
  change: (vote: PublicCertificate['votes'][number]) => Partial<PublicCertificate['votes'][number]>,
): UnsignedCertificate {
  const certificate = unsigned()
  return { ...certificate, votes: certificate.votes.map((vote) => ({ ...vote, ...change(vote) })) }
}

test('the digests are those of the text that nodes were sent, and of the result', async () => {
  const { paramsSha256, resultSha256 } = unsigned()
  expect(await isTextOf(paramsSha256, '["0x01","0x7"]')).toBe(true)
  expect(await isTextOf(resultSha256, '"0x1"')).toBe(true)
  expect(await isTextOf(resultSha256, '"0x2"')).toBe(false)
  expect(await isTextOf(null, '')).toBe(false)
})

test('says how many operators would have had to tell the same lie', () => {
  const of = (certificate: UnsignedCertificate) => operatorsToForge({ ...certificate, signature: null })
  expect(of(unsigned())).toBe(2)
  expect(of(withVotes(({ operator }) => ({ weight: operator === 'a' ? 5 : 1 })))).toBe(2)
  expect(of({ ...unsigned(), quorum: { weight: 3, operators: 1 } })).toBe(3)
  expect(of({ ...unsigned(), quorum: { weight: 4, operators: 1 } })).toBeNull()
  // A thin result has less behind it than its quorum.
  expect(of({ ...unsigned(), thin: true, quorum: { weight: 3, operators: 1 } })).toBe(2)
})
