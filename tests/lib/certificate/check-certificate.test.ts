import { describe, expect, test, vi } from 'vitest'
import { canonicalJson } from '#lib/certificate/canonical-json.ts'
import { parseCertificate } from '#lib/certificate/certificate-text.ts'
import { checkCertificate, isTextOf, operatorsToForge } from '#lib/certificate/check-certificate.ts'
import type {
  PublicCertificate,
  PublicVote,
  UnsignedCertificate,
} from '#lib/certificate/public-certificate.ts'
import { group } from '../../support/evidence.ts'
import { signed, signer, unsigned } from './made-certificate.ts'

const { publicKey } = signer.key
const verdictOf = async (value: unknown, key: string | null = publicKey) =>
  (await checkCertificate(value, key)).verdict
const failuresOf = async (value: unknown, key: string | null = null) =>
  (await checkCertificate(value, key)).checks
    .filter(({ state }) => state === 'failed')
    .map(({ name }) => name)

/** The value of this JSON with one of the values in it edited, objects and lists included. */
function edited(text: string, place: number, edit: (old: unknown) => unknown): unknown {
  let at = 0
  return JSON.parse(text, (_, old) => (at++ === place ? edit(old) : old))
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
    const text = JSON.stringify(signed())
    let values = 0
    JSON.parse(text, () => values++)
    expect(values).toBeGreaterThan(35)
    const accepted: unknown[] = []
    for (let place = 0; place < values; place += 1)
      for (const edit of [otherThan, () => undefined, () => 'other', () => 5]) {
        const certificate = edited(text, place, edit)
        if ((await verdictOf(certificate, null)) === 'valid') accepted.push(certificate)
      }
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

  test.each<[string, 'quorum' | 'votes', Partial<UnsignedCertificate>]>([
    ['has too little weight', 'quorum', { quorum: { weight: 3, operators: 2 } }],
    ['has too few operators', 'quorum', { quorum: { weight: 2, operators: 3 } }],
    ['takes no weight', 'quorum', withVotes(() => ({ weight: 0 }))],
    ['lacks one that must vote', 'quorum', withVotes(({ operator }) => ({ required: operator === 'c' }))],
    ['counts a vote for something else', 'votes', withVotes(() => ({ supports: true }))],
    ['leaves out a vote for it', 'votes', withVotes(({ operator }) => ({ supports: operator === 'b' }))],
    ['counts an operator twice', 'votes', withVotes(() => ({ operator: 'a' }))],
    ['has a result though it failed', 'votes', { outcome: 'failed', reason: 'disagree' }],
    ['has a reason though it agreed', 'votes', { reason: 'disagree' }],
  ])('that %s is refused, though its signature is right', async (_, name, change) => {
    expect(await failuresOf(signer.sign({ ...unsigned(), ...change }), publicKey)).toContain(name)
  })

  const estimate = { result: '"0x1"', supporters: 0b101, groups: [group('"0x1"')] } as const
  test.each([
    ['that was derived from several', 'ab', { result: '"0x3"' }, 'highest-reached', 'quorum'],
    ['mined for some and pending for others', 'abc', { supporters: 0b111 }, 'pending-quorum', 'quorum'],
    ['that one confirms without its own', 'ac', estimate, 'confirmed', 'highest-reached'],
  ] as const)(
    'of a result %s counts %s, who stand behind it',
    async (_, behind, fields, ruleId, otherRule) => {
      const certificate = signed({ ...fields, ruleId })
      const supporters = certificate.votes.flatMap(({ operator, supports }) => (supports ? [operator] : []))
      expect(supporters).toEqual([...behind])
      expect(await verdictOf(certificate)).toBe('valid')
      expect(await failuresOf(signed({ ...fields, ruleId: otherRule }))).toEqual(['votes'])
    },
  )

  test('of what was proven long before says that it has the proof no more, and is valid for its votes', async () => {
    const absent = (proofAbsent: string | null) => ({ proof: null, proofAbsent })
    const certificate = signed({ ruleId: 'proven' })
    expect(certificate).toMatchObject(absent('forgotten'))
    expect(await verdictOf(certificate)).toBe('valid')
    expect(signed({ ruleId: 'proven', proof: 'blooms' })).toMatchObject(absent('blooms'))
    expect(signed()).toMatchObject(absent(null))
  })

  test('of a thin result or of a failure claims no quorum', async () => {
    expect(await verdictOf(signed({ isThin: true, needed: 9 }))).toBe('valid')
    expect(await verdictOf(signed({ outcome: 'failed', reason: 'disagree', result: null }))).toBe('valid')
  })

  test('tells nothing of nodes, texts and requests', () => {
    const groups = [{ ...group('"0xsecret"'), nodes: ['node-of-a'] }]
    const text = JSON.stringify(unsigned({ groups, difference: [] }))
    expect(text).not.toMatch(/node-of-a|secret|requests|0x01/)
  })
})

function withVotes(change: (vote: PublicVote) => Partial<PublicVote>) {
  return { votes: unsigned().votes.map((vote) => ({ ...vote, ...change(vote) })) }
}

test('the digests are those of the text that nodes were sent, and of the result', async () => {
  const { paramsSha256, resultSha256 } = unsigned()
  expect(await isTextOf(paramsSha256, '["0x01","0x7"]')).toBe(true)
  expect(await isTextOf(resultSha256, '"0x1"')).toBe(true)
  expect(await isTextOf(resultSha256, '"0x2"')).toBe(false)
  expect(await isTextOf(null, '')).toBe(false)
})

test('says how many operators would have had to tell the same lie', () => {
  const of = (change: Partial<UnsignedCertificate> = {}) =>
    operatorsToForge({ ...unsigned(), signature: null, ...change })
  expect(of()).toBe(2)
  expect(of(withVotes(({ operator }) => ({ weight: operator === 'a' ? 5 : 1 })))).toBe(2)
  expect(of({ quorum: { weight: 3, operators: 1 } })).toBe(3)
  expect(of({ quorum: { weight: 4, operators: 1 } })).toBeNull()
  // A thin result has less behind it than its quorum.
  expect(of({ thin: true, quorum: { weight: 3, operators: 1 } })).toBe(2)
})
