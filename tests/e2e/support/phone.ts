import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { demoAccount } from '../../../demo/accounts.ts'

export interface PhoneOptions {
  readonly relayUrl: string
  /** Base of the app, through whose gateway the phone sends. */
  readonly origin: string
  readonly projectId: string
}

/** What the phone has seen so far. */
export interface Asked {
  /** Methods that it was asked for, oldest first. */
  readonly asked: readonly string[]
  /** Names of the sites that offered it sessions. */
  readonly askers: readonly string[]
  /** Sessions that it was offered. */
  readonly offered: number
  /** Sessions that it has. */
  readonly sessions: number
}

/** What sites are shown: an account, on some chains. */
export interface Shown {
  readonly address: string
  readonly chainIds: readonly number[]
}

export interface Order {
  readonly id: number
  readonly name: 'pair' | 'show' | 'end' | 'look'
  readonly text: string
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** A wallet on a phone: see phone-program.ts. */
export interface Phone {
  /** Scans a QR code's text. */
  readonly pair: (uri: string) => Promise<void>
  /** From now on it shows this, and tells sites so by an update of their sessions alone, without an event. */
  readonly show: (shown: Shown) => Promise<void>
  /** Forgets its sites, and tells them so. */
  readonly end: () => Promise<void>
  readonly look: () => Promise<Asked>
  readonly close: () => Promise<void>
}

export const phoneAccount = demoAccount(3).address
/** What it shows as long as it is told nothing else. */
export const phoneShows: Shown = { address: phoneAccount, chainIds: [1, 137, 42161] }

export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const child = fork(join(import.meta.dirname, 'phone-program.ts'), [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // By this name its SDK leaves the verify service alone, which cannot be reached from here.
    env: { ...process.env, NODE_NO_WARNINGS: '1', IS_VITEST: '1' },
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let ids = 1
  await once(child, 'message')
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply))
  const order = <Value>(name: Order['name'], text = ''): Promise<Value> =>
    new Promise((resolve, reject) => {
      const id = ids++
      waiting.set(id, ({ value, error }) =>
        error === undefined ? resolve(value as Value) : reject(new Error(error)),
      )
      child.send({ id, name, text } satisfies Order)
    })
  return {
    pair: (uri) => order('pair', uri),
    show: (shown) => order('show', JSON.stringify(shown)),
    end: () => order('end'),
    look: () => order('look'),
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
