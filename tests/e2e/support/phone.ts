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
  /** Sessions that it was offered. */
  readonly offered: number
  /** Sessions that it has. */
  readonly sessions: number
}

export interface Order {
  readonly id: number
  readonly name: 'pair' | 'use' | 'end' | 'look'
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
  /** From now on it shows this account, and tells sites so by a new session alone, without an event. */
  readonly use: (address: string) => Promise<void>
  /** Forgets its sites, and tells them so. */
  readonly end: () => Promise<void>
  readonly look: () => Promise<Asked>
  readonly close: () => Promise<void>
}

export const phoneAccount = demoAccount(3).address

export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const child = fork(join(import.meta.dirname, 'phone-program.ts'), [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
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
    use: (address) => order('use', address),
    end: () => order('end'),
    look: () => order('look'),
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
