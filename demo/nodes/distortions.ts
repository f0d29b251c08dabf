import { gzipSync } from 'node:zlib'
import type { Answer } from './demo-call.ts'

type Entry = Record<string, unknown>

/** Fabricated answers without any true content. */
export const inventions: Readonly<Record<string, (bytes: number) => Answer>> = {
  html: () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Just a moment...</title><h1>Checking your browser</h1>',
  }),
  empty: () => ({ status: 200, body: '' }),
  'not-an-object': () => ({ status: 200, body: '"0x1"' }),
  deep: () => ({
    status: 200,
    body: `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  }),
  redirect: () => ({ status: 302, headers: { location: '/elsewhere' }, body: '' }),
  // With a content length, so that it is not compressed.
  huge(bytes) {
    const body = padded(bytes)
    return { status: 200, headers: { 'content-length': String(body.length) }, body }
  },
  bomb: (bytes) => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: bombOf(bytes) }),
}

/** Changes to true answers. */
export const distortions: Readonly<Record<string, (answer: Answer) => Answer>> = {
  truncated: (answer) => ({ ...answer, body: bytesOf(answer).subarray(0, bytesOf(answer).length >> 1) }),
  'invalid-utf8': (answer) => ({ ...answer, body: corrupted(bytesOf(answer)) }),
  'wrong-id': each((entry) => ({ ...entry, id: `not ${String(entry.id)}` })),
  'missing-id': each(({ id: _, ...entry }) => entry),
  'wrong-jsonrpc': each((entry) => ({ ...entry, jsonrpc: '1.0' })),
  both: each((entry) => ({
    ...entry,
    result: entry.result ?? '0x1',
    error: { code: -32000, message: 'no' },
  })),
  neither: each(({ result: _, error: __, ...entry }) => entry),
  'duplicate-keys': (answer) => ({
    ...answer,
    body: bytesOf(answer).toString('utf8').replaceAll('{"jsonrpc"', '{"result":"0x1","jsonrpc"'),
  }),
  /** Changes batches only, and never to an empty one. */
  'short-batch': (answer) => {
    const reply = JSON.parse(bytesOf(answer).toString('utf8')) as Entry | Entry[]
    return Array.isArray(reply) ? { ...answer, body: JSON.stringify(reply.slice(0, -1)) } : answer
  },
}

function each(distort: (entry: Entry) => Entry): (answer: Answer) => Answer {
  return (answer) => {
    const reply = JSON.parse(bytesOf(answer).toString('utf8')) as Entry | Entry[]
    return { ...answer, body: JSON.stringify(Array.isArray(reply) ? reply.map(distort) : distort(reply)) }
  }
}

/** 0xff is never valid UTF-8. It goes into the last string, where a lenient parser would accept it. */
function corrupted(body: Buffer): Buffer {
  const at = body.lastIndexOf('"')
  return Buffer.concat([body.subarray(0, at), Buffer.from([0xff]), body.subarray(at)])
}

function padded(bytes: number): Buffer {
  const frame = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x"}')
  return Buffer.concat([
    frame.subarray(0, -2),
    Buffer.alloc(Math.max(0, bytes - frame.length), '0'),
    frame.subarray(-2),
  ])
}

const bombs = new Map<number, Buffer>()

/** Small on the wire, large after decompression. Built once per size. */
function bombOf(bytes: number): Buffer {
  const made = bombs.get(bytes) ?? gzipSync(padded(bytes), { level: 9 })
  bombs.set(bytes, made)
  return made
}

function bytesOf({ body }: Answer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}
