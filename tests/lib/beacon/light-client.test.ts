import { describe, expect, test } from 'vitest'
import { begin, follow, followWithCommittee, type LightClient } from '#lib/beacon/light-client.ts'
import { bootstrapReply, finalityReply, updatesReply } from '#lib/beacon/light-client-types.ts'
import { blockAt, bootstrapAt, firstSlot, type UpdateOptions, updateAt } from '../../support/beacon-chain.ts'

const slot = firstSlot + 64
const { root, reply } = bootstrapAt(slot)
const bootstrap = bootstrapReply.parse(reply).data
const nowSlot = firstSlot + 3 * 8192
const begun: LightClient = begin(bootstrap, root)

const usual: UpdateOptions = { attested: slot + 200, finalized: slot + 128 }
type Sent = ReturnType<typeof updateAt>
const finality = (sent: Sent) => finalityReply.parse(sent).data
const withCommittee = (sent: Sent) => updatesReply.parse([sent])[0]?.data as never

function faultOf(sent: Sent, now = nowSlot): string {
  try {
    follow(begun, finality(sent), now)
    return ''
  } catch (thrown) {
    return (thrown as Error).message
  }
}

const wrong = 'its signature does not hold'
const off = 'a branch does not lead to its root'

/** Another hex digit at the end. */
const changed = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')

/** The same reply, with one text of it changed. */
function tampered(path: string): Sent {
  const sent = structuredClone(updateAt(usual))
  const keys = path.split('.')
  const last = keys.pop() as string
  const parent = keys.reduce((at, key) => at[key] as never, sent.data as unknown as Record<string, unknown>)
  const value = parent[last] as string
  parent[last] = value.startsWith('0x') ? changed(value) : String(Number(value) + 1)
  return sent
}

describe('a light client', () => {
  test('begins at a trusted block', () => {
    expect(begun.finalized).toEqual({ slot, block: blockAt(slot), root })
  })

  test('begins at no other', () => {
    expect(() => begin(bootstrap, `0x${'00'.repeat(32)}`)).toThrow('it is not about the checkpoint')
    const other = { ...bootstrap, current_sync_committee: withOtherKey() }
    expect(() => begin(other, root)).toThrow(off)
  })

  test('goes on to a block that two thirds of the committee have signed as final', () => {
    const client = follow(begun, finality(updateAt({ ...usual, signers: 342 })), nowSlot)
    expect(client.finalized.block).toEqual(blockAt(slot + 128))
  })

  test('does not go back', () => {
    const ahead = follow(begun, finality(updateAt(usual)), nowSlot)
    expect(follow(ahead, finality(updateAt({ ...usual, finalized: slot + 96 })), nowSlot)).toBe(ahead)
  })

  test('goes on over committees, each of which the one before has signed', () => {
    const first = followWithCommittee(begun, withCommittee(updateAt(usual)), nowSlot)
    const [second, third] = [1, 2].map((periods) => firstSlot + periods * 8192 + 100) as [number, number]
    const signed = withCommittee(updateAt({ attested: second + 96, finalized: second }))
    const next = followWithCommittee(first, signed, nowSlot)
    expect([next.period, next.next === null]).toEqual([first.period + 1, false])
    const last = follow(next, finality(updateAt({ attested: third + 96, finalized: third })), nowSlot)
    expect([last.period, last.finalized.slot]).toEqual([first.period + 2, third])
  })

  test('does not skip a committee', () => {
    const later = firstSlot + 8192 + 100
    expect(faultOf(updateAt({ attested: later + 96, finalized: later }))).toBe('its committee is not known')
  })

  test('does not take a committee that is not in the signed state', () => {
    const sent = structuredClone(updateAt(usual))
    const { next_sync_committee } = updateAt({ ...usual, attested: slot + 8192 }).data
    Object.assign(sent.data, { next_sync_committee })
    expect(() => followWithCommittee(begun, withCommittee(sent), nowSlot)).toThrow(off)
  })
})

describe('an update is refused', () => {
  test.each([
    ['that too few have signed', { signers: 341 }, 'fewer than two thirds of the committee have signed'],
    ['that another committee has signed', { signedBy: 1800 }, wrong],
    ['that was signed for another fork', { forkVersion: '05000000' }, wrong],
    ['whose block is final after it', { attested: slot + 100 }, 'its slots are not in order'],
    ['that was signed before its block', { signed: slot + 200 }, 'its slots are not in order'],
  ] as const)('%s', (_, change, fault) => {
    expect(faultOf(updateAt({ ...usual, ...change }))).toBe(fault)
  })

  test('that is signed in the future', () => {
    expect(faultOf(updateAt(usual), slot + 200)).toBe('it is signed in the future')
  })

  test.each([
    ['sync_aggregate.sync_committee_signature', wrong],
    ['attested_header.beacon.proposer_index', wrong],
    ['attested_header.beacon.parent_root', wrong],
    ['attested_header.beacon.state_root', off],
    ['attested_header.beacon.body_root', off],
    ['attested_header.execution.block_hash', off],
    ['attested_header.execution_branch.0', off],
    ['finalized_header.beacon.slot', off],
    ['finalized_header.beacon.body_root', off],
    ['finalized_header.execution.block_hash', off],
    ['finalized_header.execution.block_number', off],
    ['finalized_header.execution_branch.3', off],
    ['finality_branch.0', off],
    ['finality_branch.6', off],
  ])('whose %s was changed', (path, fault) => {
    expect(faultOf(tampered(path))).toBe(fault)
  })

  test('of which a signer is missing that is named', () => {
    const sent = structuredClone(updateAt({ ...usual, signers: 400 }))
    sent.data.sync_aggregate.sync_committee_bits = `0x${'ff'.repeat(64)}`
    expect(faultOf(sent)).toBe(wrong)
  })
})

function withOtherKey() {
  const { pubkeys, ...rest } = bootstrap.current_sync_committee
  return { ...rest, pubkeys: [pubkeys[1] as Uint8Array, ...pubkeys.slice(1)] }
}
