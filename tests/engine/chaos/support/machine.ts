import { connect, type Socket } from 'node:net'
import { freePort } from '../../../../demo/ports.ts'
import type { Host, HostKind, HostOptions } from '../../../support/host.ts'
import { startNameServer } from '../../../support/name-server.ts'
import { until } from '../../../support/until.ts'

/** A fault of the machine that a host runs on, not of a node. */
export interface MachineFault {
  readonly kind: HostKind
  /** Whether calls may fail while it lasts; they never lie. */
  readonly costs: 'nothing' | 'calls'
  readonly settings: () => HostOptions | Promise<HostOptions>
  /** The name by which the host knows the nodes' machine; its address if left out. */
  readonly nodeHost?: string
  readonly begin?: (host: Host) => Promise<void>
  readonly end?: (host: Host) => Promise<void>
}

const preload = (module: URL) => ({ NODE_OPTIONS: `--import ${module}` })

/** The disk is full from the start, and stays so. */
const fullLog = (kind: HostKind): MachineFault => ({
  kind,
  costs: 'nothing',
  settings: async () => ({
    env: { PORT: String(await freePort()), LOG_LEVEL: 'debug' },
    into: '/dev/full',
  }),
})

/** Connections that send nothing take every descriptor that the process may have. */
function noDescriptors(kind: HostKind): MachineFault {
  const idle: Socket[] = []
  return {
    kind,
    costs: 'calls',
    settings: () => ({ ulimit: '-n 64' }),
    async begin({ port }) {
      // The host closes what it has no descriptor for.
      await new Promise((resolve) => {
        for (let opened = 0; opened < 128; opened += 1)
          idle.push(connect(port, '127.0.0.1').on('error', resolve).on('close', resolve))
      })
    },
    async end() {
      for (const socket of idle.splice(0)) socket.destroy()
    },
  }
}

/** Resolves after the jump: a call in flight would be past its deadline by it. */
const jump = async (host: Host) => {
  const count = () => host.output().split('the clock has jumped').length
  const before = count()
  host.signal('SIGUSR2')
  await until(() => count() > before)
}
const jumpingClock: MachineFault = {
  kind: 'alone',
  costs: 'nothing',
  settings: () => ({ env: preload(new URL('./jumping-clock.mjs', import.meta.url)) }),
  begin: jump,
  end: jump,
}

function silentNameServer(): MachineFault {
  let isSilent = false
  const set = (silent: boolean) => async () => {
    isSilent = silent
  }
  return {
    kind: 'alone',
    costs: 'nothing',
    async settings() {
      const { address } = await startNameServer(() => (isSilent ? 'silence' : ['127.0.0.1']))
      const module = new URL('../../../support/use-name-server.mjs', import.meta.url)
      return { env: { ...preload(module), NAME_SERVER: address } }
    },
    nodeHost: 'node.example',
    begin: set(true),
    end: set(false),
  }
}

export const machineFaults: Readonly<Record<string, MachineFault>> = {
  'a full disk under the log': fullLog('alone'),
  'a full disk under the log of the edge host': fullLog('edge'),
  'no file descriptor left': noDescriptors('alone'),
  'no file descriptor left for the edge host': noDescriptors('edge'),
  'a clock that jumps ahead and back': jumpingClock,
  'a name server that is silent': silentNameServer(),
}
