import { equalBytes } from '@noble/curves/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { randomHex } from '../bytes.ts'
import type { Peers } from '../engine/peers.ts'
import { cookieValues, hostCookieName, httpOnlyCookie } from '../http.ts'
import { processWide } from '../process-wide.ts'
import { prefix } from '../public-names.ts'

/** A session ends this long after the login, and this long after its last page view. */
const sessionMsMax = 8 * 3_600_000
const idleMsMax = 30 * 60_000
/** A page view renews a cookie that is older than this. */
const renewAfterMs = 60_000

interface Session {
  /** Unchanged by renewals. */
  readonly id: string
  readonly startMs: number
  readonly seenMs: number
}

/** `Set-Cookie` of a login. Stateless: every process and isolate with the same token can verify it. */
export function newSessionCookie(token: string, secure: boolean, nowMs: number): string {
  return sessionCookie({ id: randomHex(16), startMs: nowMs, seenMs: nowMs }, token, secure)
}

/** `Set-Cookie` for a page view; null without a session, or when it was renewed recently. */
export function renewedCookie(cookies: string, token: string, secure: boolean, nowMs: number): string | null {
  const [session] = sessionsIn(cookies, token, nowMs)
  if (session === undefined || nowMs - session.seenMs < renewAfterMs) return null
  return sessionCookie({ ...session, seenMs: nowMs }, token, secure)
}

/** `Set-Cookie` of a log-out. */
export function endedCookie(secure: boolean): string {
  return cookie('', 0, secure)
}

/** Whether one of these cookies has a valid session. */
export function isInSession(cookies: string, token: string, nowMs: number): boolean {
  return sessionsIn(cookies, token, nowMs).length > 0
}

const revokedShape = z.array(z.tuple([z.string(), z.number()]))

/** Ids of sessions, and until when a copy of their cookie could be used. */
export type Revoked = z.output<typeof revokedShape>

/** Revokes these cookies' sessions in this process or isolate, including copies of the cookies, and returns them. */
export function revokeSessions(cookies: string, token: string, nowMs: number): Revoked {
  const ended = sessionsIn(cookies, token, nowMs).map(({ id, startMs }): Revoked[number] => [
    id,
    startMs + sessionMsMax,
  ])
  addRevoked(ended, nowMs)
  return ended
}

/** Tells the other processes of log-outs, and takes those that they were told. Returns what tells this process. */
export function shareRevoked(peers: Peers): (revoked: Revoked) => void {
  const send = (revoked: Revoked) => {
    if (revoked.length > 0) peers.send('log-outs', revoked)
  }
  peers.on('log-outs', (value) => addRevoked(revokedShape.safeParse(value).data ?? [], Date.now()))
  peers.onJoin(() => send([...revokedSessions]))
  return send
}

function addRevoked(ended: Revoked, nowMs: number): void {
  for (const [id, endMs] of ended) revokedSessions.set(id, endMs)
  for (const [id, endMs] of revokedSessions)
    if (endMs <= nowMs || revokedSessions.size > revokedMax) revokedSessions.delete(id)
}

/** Only the operator's cookies, to forward to a gateway in another process. */
export function operatorCookies(cookies: string): string {
  return pairsIn(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

function sessionsIn(cookies: string, token: string, nowMs: number): Session[] {
  return pairsIn(cookies).flatMap(([, value]) => {
    const session = read(value, token)
    if (session === null || revokedSessions.has(session.id)) return []
    const isOver = nowMs >= session.startMs + sessionMsMax || nowMs >= session.seenMs + idleMsMax
    return isOver ? [] : [session]
  })
}

const shape = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

function read(value: string, token: string): Session | null {
  const [, start = '', seen = '', id = '', given = ''] = shape.exec(value) ?? []
  const session = { id, startMs: Number(start), seenMs: Number(seen) }
  return id !== '' && equalBytes(utf8ToBytes(given), utf8ToBytes(seal(session, token))) ? session : null
}

/** The key depends on the token, so that a new token ends every session. */
function seal({ startMs, seenMs, id }: Session, token: string): string {
  const key = utf8ToBytes(`${prefix} operator session\n${token}`)
  return bytesToHex(hmac(sha256, key, utf8ToBytes(`${startMs}.${seenMs}.${id}`)))
}

function sessionCookie(session: Session, token: string, secure: boolean): string {
  const { startMs, seenMs, id } = session
  const leftMs = Math.min(idleMsMax, startMs + sessionMsMax - seenMs)
  return cookie(`${startMs}.${seenMs}.${id}.${seal(session, token)}`, Math.ceil(leftMs / 1000), secure)
}

function cookie(value: string, maxAgeS: number, secure: boolean): string {
  return httpOnlyCookie(name, value, { maxAgeS, secure, sameSite: 'Strict' })
}

const name = `${prefix}-operator`

function pairsIn(cookies: string): [name: string, value: string][] {
  const names = [hostCookieName(name, true), hostCookieName(name, false)]
  return names.flatMap((each) => cookieValues(cookies, each).map((value): [string, string] => [each, value]))
}

/** Only the holder of a session can revoke it, so there are few. Above this the oldest are forgotten. */
const revokedMax = 1000

/** Until when a copy of its cookie could be used, by id. */
const revokedSessions = processWide('revoked-sessions', new Map<string, number>()).value
