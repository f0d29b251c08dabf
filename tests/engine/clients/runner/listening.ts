import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { callNode } from '../../../../demo/json-rpc.ts'
import type { Keeper } from '../../../../demo/keeper.ts'
import { execute } from '../../../support/odd-tokens.ts'
import { type Running, startCommand } from '../../../support/run-command.ts'
import { type Driver, driverEnv, prepare } from './drivers.ts'
import { withoutIds } from './steps.ts'
import { type GatewaySide, type Side, startGateway, threeMakes } from './world.ts'

/** What clients that subscribe go through, and whether their connection ends. */
const troubles = [
  {
    name: 'reorganisation',
    ends: false,
    act: ({ facts }: GatewaySide) => callNode(facts.chainUrl, 'anvil_reorg', [2, []]),
  },
  { name: 'reload', ends: false, act: (gateway: GatewaySide) => gateway.reload() },
  { name: 'restart', ends: true, act: (gateway: GatewaySide) => gateway.restart('SIGTERM') },
  { name: 'kill', ends: true, act: (gateway: GatewaySide) => gateway.restart('SIGKILL') },
] as const

export type Listened = Pick<Listener, 'name' | 'shown' | 'faults'>

const patienceMs = 90_000
const pollMs = 100
const pollsPerRound = 20

/** Runs all clients that subscribe at one gateway, through each trouble. */
export async function listenThrough(
  drivers: readonly Driver[],
  keeper: Keeper,
): Promise<readonly Listened[]> {
  const gateway = await startGateway(keeper, { nodes: threeMakes, config: { rate: null } })
  const listeners: Listener[] = []
  try {
    for (const driver of drivers)
      if (driver.listen !== null)
        listeners.push(startListener(driver.name, driver.listen, { folder: await prepare(driver), gateway }))
    await hearAll(listeners, gateway)
    for (const { name, ends, act } of troubles) {
      for (const listener of listeners) listener.begin(ends)
      await act(gateway)
      await hearAll(listeners, gateway)
      for (const listener of listeners) listener.end(name)
    }
    return listeners
  } finally {
    for (const listener of listeners) listener.stop()
    await gateway.stop()
  }
}

/**
 * Mines two blocks, and two others a while later, until each client has heard of every block since its first one:
 * ponder hears of none while it catches up.
 */
async function hearAll(listeners: readonly Listener[], { facts }: Side): Promise<void> {
  const deadline = Date.now() + patienceMs
  let truth: Streams
  const hasHeard = (listener: Listener) => listener.hears() && listener.differences(truth).length === 0
  do {
    // As many as the reorganisation replaces.
    for (let block = 0; block < 2; block++) await mine(facts)
    truth = await truthOf(facts)
    for (let poll = 0; poll < pollsPerRound && !listeners.every(hasHeard); poll++) await pause(pollMs)
  } while (!listeners.every(hasHeard) && Date.now() < deadline)
  for (const listener of listeners) listener.faults.push(...listener.differences(truth))
}

/** A block with a log of the token. */
async function mine({ chainUrl, token, richest, stranger }: Side['facts']): Promise<void> {
  const data = `0xa9059cbb${stranger.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
  const transfer = { from: richest, to: token, data, gas: '0x186a0' }
  await execute(chainUrl, transfer)
}

type Block = readonly [number: number, hash: string]
type Stream = 'heads' | 'logs'
type Streams = Readonly<Record<Stream, readonly Block[]>>

/** All blocks of a chain, and those with a log of the token. */
async function truthOf({ chainUrl, token }: Side['facts']): Promise<Streams> {
  const head = Number(await callNode(chainUrl, 'eth_blockNumber'))
  const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`)
  const blocks = await Promise.all(
    numbers.map((number) => callNode<{ hash: string }>(chainUrl, 'eth_getBlockByNumber', [number, false])),
  )
  const logs = await callNode<readonly { blockNumber: string; blockHash: string }[]>(
    chainUrl,
    'eth_getLogs',
    [{ address: token, fromBlock: '0x0', toBlock: 'latest' }],
  )
  return {
    heads: blocks.map(({ hash }, number) => [number, hash]),
    logs: logs.map(({ blockNumber, blockHash }) => [Number(blockNumber), blockHash]),
  }
}

const without = (blocks: readonly Block[], others: readonly Block[]): string =>
  blocks
    .filter(([, hash]) => others.every(([, other]) => other !== hash))
    .map(([number]) => number)
    .join(' ')

const line = z.union([
  z.object({
    stream: z.enum(['heads', 'logs']),
    number: z.number(),
    hash: z.string(),
    removed: z.boolean(),
  }),
  z.object({ closed: z.string() }),
])

type Listener = ReturnType<typeof startListener>

/** A client that subscribes. */
function startListener(
  name: string,
  { run, streams, catchesUp }: NonNullable<Driver['listen']>,
  { folder, gateway }: { folder: string; gateway: Side },
) {
  const shown: string[] = []
  const faults: string[] = []
  let isRunning = false
  let running = start()
  /** What it printed before is of a connection that has ended. */
  let from = 0
  /** What it had printed when the trouble began. */
  let begun = 0
  let closed: string[] = []
  let wasStarted = false

  function start(): Running {
    const started = startCommand(run, { cwd: folder, env: { ...driverEnv, ...gateway.env } })
    isRunning = true
    void started.ended.then(() => {
      if (started === running) isRunning = false
    })
    return started
  }
  const lines = () => {
    const texts = running.printed.output.split('\n').slice(0, -1)
    return texts.map((text) => line.parse(JSON.parse(text)))
  }
  const blocksFrom = (index: number) =>
    lines()
      .slice(index)
      .flatMap((each) => ('stream' in each ? [each] : []))
  const closedLines = () =>
    lines()
      .slice(begun)
      .flatMap((each) => ('closed' in each ? [each.closed] : []))

  return {
    name,
    /** What its user sees of a gateway that restarts, and of one that is killed. */
    shown,
    faults,
    begin(ends: boolean): void {
      begun = lines().length
      if (ends && !catchesUp) from = begun
      closed = []
      wasStarted = false
    },
    /** Whether each of its subscriptions has told it of a block since the trouble began. One that has ended is started again. */
    hears(): boolean {
      if (!isRunning) {
        closed.push(...closedLines())
        running = start()
        from = 0
        begun = 0
        wasStarted = true
      }
      const heard = blocksFrom(begun)
      return streams.every((stream) => heard.some((each) => each.stream === stream))
    },
    end(trouble: (typeof troubles)[number]['name']): void {
      const all = new Set([...closed, ...closedLines()])
      const seen = [...all, wasStarted ? 'ends; goes on when started again' : 'goes on'].join('; ')
      if (trouble === 'restart' || trouble === 'kill') shown.push(withoutIds(seen, gateway.url))
      else if (seen !== 'goes on') faults.push(`${trouble}: ${seen}`)
    },
    /** What it was told otherwise than the chain has it, from the first block that it was told of. */
    differences(truth: Streams): readonly string[] {
      const blocks = blocksFrom(from)
      return streams.flatMap((stream) => {
        const own = blocks.filter((each) => each.stream === stream)
        if (own.length === 0) return [`${stream}: told of none`]
        const known = new Map<string, Block>()
        for (const { number, hash, removed } of own)
          if (removed) known.delete(hash)
          else known.set(stream === 'heads' ? String(number) : hash, [number, hash])
        const first = Math.min(...own.map(({ number }) => number))
        const expected = truth[stream].filter(([number]) => number >= first)
        const missing = without(expected, [...known.values()])
        const wrong = without([...known.values()], expected)
        return missing === '' && wrong === '' ? [] : [`${stream}: not told of ${missing}, but of ${wrong}`]
      })
    },
    stop: () => running.signal('SIGKILL'),
  }
}
