import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { demoAccount } from '../../../demo/accounts.ts'
import { chains, third } from './chains.ts'

export interface PhoneOptions {
  readonly relayUrl: string
  /** Base url of the app. The phone sends through its gateway. */
  readonly origin: string
  readonly projectId: string
}

/** Everything the phone has received. */
export interface PhoneRequest {
  /** Requested methods, oldest first. */
  readonly asked: readonly string[]
  /** Names of the sites with session proposals. */
  readonly askers: readonly string[]
  /** Number of session proposals. */
  readonly offered: number
  /** Number of active sessions. */
  readonly sessions: number
}

/** The account and chains exposed to sites. */
export interface SharedAccount {
  readonly address: string
  readonly chainIds: readonly number[]
}

export interface Order {
  readonly id: number
  readonly name: 'pair' | 'show' | 'end' | 'hesitate' | 'decide' | 'look'
  readonly text: string
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** A wallet on a phone: see phone-program.ts. */
export interface Phone {
  /** Pairs with the text of a QR code. */
  readonly pair: (uri: string) => Promise<void>
  /** Changes the exposed account and chains, with a session update only, without an event. */
  readonly show: (shown: SharedAccount) => Promise<void>
  /** Ends all sessions and notifies the sites. */
  readonly end: () => Promise<void>
  /** Takes requests, and answers them only once its owner has decided. */
  readonly hesitate: () => Promise<void>
  readonly decide: () => Promise<void>
  readonly look: () => Promise<PhoneRequest>
  readonly close: () => Promise<void>
}

export const phoneAccount = demoAccount(3).address
/** It begins on the first. */
const phoneChains = [third, ...chains.filter((chain) => chain !== third)]
/** The default account and chains. */
export const phoneShows: SharedAccount = { address: phoneAccount, chainIds: phoneChains.map(({ id }) => id) }

export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const child = fork(join(import.meta.dirname, 'phone-program.ts'), [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // With IS_VITEST the SDK skips the verify service, which is not reachable here.
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
    hesitate: () => order('hesitate'),
    decide: () => order('decide'),
    look: () => order('look'),
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
