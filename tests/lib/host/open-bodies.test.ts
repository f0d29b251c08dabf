import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { fromWeb } from '#lib/host/edge/host-web.ts'
import { json } from '#lib/http.ts'
import { hostLimits, openBodyBytesMin } from '#lib/limits/host-limits.ts'
import { noLease, Quota } from '#lib/limits/quota.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { limitsOf, serverForOneFile } from './node/loopback-server.ts'

const counts = createHostCounts()
const { port } = serverForOneFile({
  answer: async (request) => json(200, await request.body(500_000, 60_000)),
  engineParts: { config: () => ({ rate: { trustedHops: 1 } }) },
  counts,
})

const open: Socket[] = []

/** Starts sending a body of this length. */
function begin(caller: string, length: number): Socket {
  const socket = connect(port(), '127.0.0.1').on('error', () => {})
  socket.write(
    `POST /api/rpc/1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: ${caller}\r\ncontent-length: ${length}\r\n\r\n`,
  )
  open.push(socket)
  return socket
}
const held = () => limitsOf(counts).held('open_bodies')

test('a caller may have 256 small bodies open; its next one is refused, another caller’s is not', async () => {
  const fitting = hostLimits.openBodies.perCallerMax / openBodyBytesMin
  expect(fitting).toBe(256)
  for (let count = 0; count < fitting; count += 1) begin('203.0.113.1', 1000)
  await expect.poll(held).toBe(hostLimits.openBodies.perCallerMax)
  expect(await text(begin('203.0.113.1', 1000))).toContain('{"fault":"too-many"}')
  const other = begin('203.0.113.2', 2)
  other.write('{}')
  expect(await text(other)).toContain('{"text":"{}"}')
  open[0]?.write('a'.repeat(1000))
  expect(await text(open[0] as Socket)).toContain('"text":"aaa')
  for (const socket of open.splice(0)) socket.destroy()
  await expect.poll(held).toBe(0)
})

test('with too many bodies of all callers, the one open longest is dropped', async () => {
  const { perCallerMax, max } = hostLimits.openBodies
  const first = begin('203.0.113.1', 1000)
  await expect.poll(held).toBe(openBodyBytesMin)
  // Each counts its announced length.
  const bytes = 500_000
  const each = Math.floor(perCallerMax / bytes)
  const callers = Math.ceil(max / (each * bytes))
  for (let caller = 0; caller < callers; caller += 1)
    for (let count = 0; count < each; count += 1) begin(`198.51.100.${caller}`, bytes)
  expect(await text(first)).toContain('{"fault":"too-slow"}')
  expect(held()).toBeLessThanOrEqual(max)
  for (const socket of open.splice(0)) socket.destroy()
  await expect.poll(held).toBe(0)
})

test('a body for a Next route is counted until it is complete, and refused when its caller has too many', async () => {
  const bodies = new Quota({ perCallerMax: openBodyBytesMin, max: 1 << 30 })
  const asked = (body: BodyInit) =>
    fromWeb(
      new Request('http://app.example/', {
        method: 'POST',
        body,
        headers: { 'x-forwarded-for': '203.0.113.1', 'content-length': '2' },
        duplex: 'half',
      } as RequestInit),
      { site: null, trustedHops: 1, leaseBody: bodies.acquire },
    )
  const { readable: slow, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const first = asked(slow).body(1000, 60_000)
  expect(bodies.inUse()).toBe(openBodyBytesMin)
  expect(await asked('{}').body(1000, 60_000)).toEqual({ fault: 'too-many' })
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('{}'))
  void writer.close()
  expect(await first).toEqual({ text: '{}' })
  expect(await asked('{}').body(1000, 60_000)).toEqual({ text: '{}' })
  expect(bodies.inUse()).toBe(0)
})

test('a malformed content-length for a Next route counts as the largest body', async () => {
  const leaseBody = vi.fn(() => noLease)
  const headers = { 'content-length': '2, 2' }
  const request = new Request('http://app.example/', { method: 'POST', body: '{}', headers })
  const asked = fromWeb(request, { site: null, trustedHops: 0, leaseBody })
  expect(await asked.body(500_000, 60_000)).toEqual({ text: '{}' })
  expect(leaseBody).toHaveBeenCalledExactlyOnceWith(500_000, null, expect.any(Function))
})
