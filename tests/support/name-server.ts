import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** What a name server says to a question: addresses of both families, that there is no such name, that it fails, or nothing. */
export type NameReply = readonly string[] | 'no-such-name' | 'failure' | 'silence'

export type NameServer = Awaited<ReturnType<typeof startNameServer>>

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }
const codes = { 'no-such-name': 3, failure: 2 } as const

/** A name server over UDP, RFC 1035. `reply` may choose by name and by type, `A` or `AAAA`. */
export async function startNameServer(reply: (name: string, type: string) => NameReply) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${name} ${type}`)
    const told = reply(name, type)
    if (told === 'silence') return
    const code = typeof told === 'string' ? codes[told] : 0
    const records = typeof told === 'string' ? [] : told.flatMap((each) => recordOf(each, type))
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 + code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    /** As `dns.setServers` takes it. */
    address: `127.0.0.1:${socket.address().port}`,
    /** The names that were asked for, in order, as `name A` or `name AAAA`. */
    asked: asked as readonly string[],
    stop: () => void socket.close(),
  }
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: types[query.readUInt16BE(at + 1)] ?? 'other', end: at + 5 }
}

/** A record that points back to the name of the question, to be kept for no time at all. */
function recordOf(address: string, type: string): Buffer[] {
  if ((type === 'AAAA') !== isIPv6(address)) return []
  const bytes = isIPv6(address) ? bytesOfIPv6(address) : Buffer.from(address.split('.').map(Number))
  const head = Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length])
  return [Buffer.concat([head, bytes])]
}

function bytesOfIPv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::')
  const words = (text: string) =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
  const [before, after] = [words(head), words(tail)]
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]))
}
