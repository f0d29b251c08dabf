import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Attack, attacks, type Target } from './attacks.ts'
import { type Met, startHonest } from './honest.ts'

/** Results of the honest callers during one attack, and resources of the host. */
export interface Row {
  readonly attack: string
  readonly calls: Met
  readonly pages: Met
  /** Peak memory of the process during the attack in MB, and its open files shortly after. */
  readonly rssMb: number
  readonly files: number
}

export interface Besieged extends Target {
  readonly pid: number
  readonly pages: boolean
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const visitor = '203.0.113.9'

/** Ten reads and two pages a second of honest callers during an attack; `null` is the baseline. */
export async function besiege(
  host: Besieged,
  name: keyof typeof attacks | null,
  { seconds, readOf = freshRead }: { readonly seconds: number; readonly readOf?: (count: number) => string },
): Promise<Row> {
  const attack: Attack = name === null ? () => ({ end: () => {} }) : attacks[name]
  const { end } = attack(host)
  const url = `http://127.0.0.1:${host.port}`
  // Skips the start of the attack.
  await wait(Math.min(2_000, seconds * 250))
  const asking = { url, timeoutMs: 10_000, address: visitor }
  const calls = startHonest({ ...asking, path: `/api/rpc/${host.chainId}`, body: readOf, everyMs: 100 })
  const pages = startHonest({
    ...asking,
    path: host.pages ? '/' : '/api/rpc/ready',
    body: () => null,
    everyMs: 500,
  })
  const rss = watchRss(host.pid)
  await wait(seconds * 1000)
  const met = { calls: await calls.end(), pages: await pages.end() }
  const rssMb = rss.end()
  end()
  await wait(1_500)
  return { attack: name ?? 'none', ...met, rssMb, files: filesOf(host.pid) }
}

let reads = 0
/** An uncached read, so that nodes are asked. */
function freshRead(): string {
  const address = `0x${(++reads).toString(16).padStart(40, 'b')}`
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] })
}

function watchRss(pid: number): { readonly end: () => number } {
  let most = 0
  const look = () => {
    const file = `/proc/${pid}/statm`
    const pages = existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) : 0
    most = Math.max(most, (pages * 4096) / 1e6)
  }
  const timer = setInterval(look, 100)
  return {
    end() {
      clearInterval(timer)
      look()
      return most
    },
  }
}

/** Open files of a process, including sockets; 0 if unknown. */
function filesOf(pid: number): number {
  return existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : 0
}
