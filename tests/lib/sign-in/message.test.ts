import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { type Expected, messageCharsMax, readMessage } from '#lib/sign-in/message.ts'
import { type MessageFields, messageOf, visitor } from './support.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const given = { nonce: '0123456789abcdef0123456789abcdef', untilMs: nowMs + 10 * 60_000 }
const expected: Expected = {
  origin: 'https://app.example',
  chainIds: [1, 137],
  nonces: [{ ...given, nonce: 'ofanothertab' }, given],
  nowMs,
}
const sent = (fields: Partial<MessageFields> = {}) => messageOf({ nowMs, nonce: given.nonce, ...fields })
const good = sent()
const at = (ms: number) => new Date(nowMs + ms).toISOString()
const minute = 60_000

/** The reason for the refusal; null for a valid message. */
function faultOf(text: string, more: Partial<Expected> = {}): string | null {
  const read = readMessage(text, { ...expected, ...more })
  if (!('reason' in read)) return null
  return read.reason === read.detail ? read.reason : `${read.reason}: ${read.detail}`
}

test.each([
  ['any statement', sent({ statement: 'Anything that fits a line, (even) this: $1/2?' })],
  ['no statement', sent({ statement: null })],
  ['the scheme of this site', `https://${good}`],
  ['request id and resources', `${good}\nRequest ID: 7\nResources:\n- https://app.example/terms\n- ipfs://x`],
  [
    'what viem’s own helper makes, without Expiration Time',
    createSiweMessage({
      ...{ domain: 'app.example', uri: 'https://app.example', address: visitor.address, chainId: 137 },
      ...{ nonce: given.nonce, version: '1', issuedAt: new Date(nowMs) },
    }),
  ],
  ['not before now', `${good}\nNot Before: ${at(0)}`],
])('accepts %s', (_, text) => {
  expect(faultOf(text)).toBe(null)
})

describe('refuses', () => {
  test.each([
    ['another domain', sent({ domain: 'evil.example' }), 'site: domain'],
    ['a domain below ours', sent({ domain: 'x.app.example' }), 'site: domain'],
    ['another port', sent({ domain: 'app.example:8443' }), 'site: domain'],
    ['our name before an @', sent({ domain: 'app.example@evil.example' }), 'site: domain'],
    ['a homoglyph of our domain', sent({ domain: 'аpp.example' }), 'format: characters'],
    ['another scheme', `http://${good}`, 'site: scheme'],
    ['the address of another site', sent({ uri: 'https://evil.example' }), 'site: uri'],
    ['a user in the address', sent({ uri: 'https://x@app.example' }), 'site: uri'],
    ['an address over http', sent({ uri: 'http://app.example' }), 'site: uri'],
    ['another version', sent({ version: '2' }), 'format'],
    ['a chain that we do not have', sent({ chainId: 10 }), 'chain'],
    ['another nonce', sent({ nonce: 'fedcba9876543210' }), 'nonce'],
    ['an empty nonce', sent({ nonce: '' }), 'format'],
    ['an address without its checksum', good.replace('0xf39F', '0xf39f'), 'format'],
    ['trailing text', `${good}\nand more`, 'format'],
    ['a trailing line feed', `${good}\n`, 'format'],
    ['text before it', `\n${good}`, 'format'],
    ['a second block of fields', `${good}\n\nURI: https://app.example\nVersion: 1`, 'format'],
    ['a field twice', good.replace('Version: 1', 'Version: 1\nVersion: 1'), 'format'],
    ['a statement of two lines', sent({ statement: 'one\ntwo' }), 'format'],
    ['a statement that holds fields', sent({ statement: 'x\n\nURI: https://app.example' }), 'format'],
    ['CR LF', good.replaceAll('\n', '\r\n'), 'format: characters'],
    ['a no-break space', good.replace('Version: 1', 'Version:\u00a01'), 'format: characters'],
    ['an escape sequence', sent({ statement: '\u001b[2J' }), 'format: characters'],
    ['one that has expired', sent({ expiresMs: nowMs }), 'expired: expiration time'],
    ['a malformed time', good.replace(/Expiration Time: .*/, 'Expiration Time: soon'), 'format'],
    ['one that expires before it was issued', sent({ expiresMs: nowMs - 1 }), 'expired: expiration time'],
    ['one that is not valid yet', `${good}\nNot Before: ${at(6 * minute)}`, 'clock: not before'],
    ['nothing', '', 'format: characters'],
  ])('%s', (_, text, reason) => {
    expect(faultOf(text)).toBe(reason)
  })

  test('an empty nonce that was expected', () => {
    expect(faultOf(sent({ nonce: '' }), { nonces: [{ ...given, nonce: '' }] })).not.toBe(null)
  })
})

const late = 9 * minute
test.each([
  ['issued five minutes before the nonce was given', { issuedMs: nowMs - 5 * minute }, 0, null],
  ['issued earlier', { issuedMs: nowMs - 5 * minute - 1 }, 0, 'clock: issued at'],
  ['issued when the nonce was given, and signed nine minutes later', { issuedMs: nowMs }, late, null],
  ['issued in five minutes', { issuedMs: nowMs + late + 5 * minute }, late, null],
  ['issued later', { issuedMs: nowMs + late + 5 * minute + 1 }, late, 'clock: issued at'],
  ['without Expiration Time', { expiresMs: null }, late, null],
  ['valid for a week', { expiresMs: nowMs + 7 * 24 * 60 * minute }, late, null],
  ['valid until a millisecond from now', { expiresMs: nowMs + late + 1 }, late, null],
  ['valid until now', { expiresMs: nowMs + late }, late, 'expired: expiration time'],
])('a message %s', (_, times, lateMs, reason) => {
  const text = sent({ expiresMs: nowMs + 60 * minute, ...times })
  expect(faultOf(text, { nowMs: nowMs + lateMs })).toBe(reason)
})

test('the longest message is accepted, a longer one is refused', () => {
  const statement = (length: number) => sent({ statement: 'x'.repeat(length) })
  const room = messageCharsMax - statement(0).length
  expect(statement(room).length).toBe(messageCharsMax)
  expect(faultOf(statement(room))).toBe(null)
  expect(faultOf(statement(room + 1))).toBe('format: too long')
})
