/** The reply of a wallet to a request. */
export type Answer = { result: unknown } | { error: { code: number; message: string } }

export type Announces = 'at once' | 'when told'

export interface Injected {
  readonly rdns: string
  readonly name: string
  /** Names of the bindings between page and test. */
  readonly names: { readonly ask: string; readonly emit: string; readonly announce: string }
  readonly announces: Announces
}

/** The in-page part of the test wallet. It is serialized, so it must be self-contained. */
export function injectWallet({ rdns, name, names, announces }: Injected): void {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const ask = Reflect.get(window, names.ask) as (method: string, params?: unknown) => Promise<Answer>
  const provider = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      const answer = await ask(method, params)
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return answer.result
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
  Reflect.set(window, names.emit, (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  })
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"%3E%3Cpath d="M0 0h1v1H0z" fill="teal"/%3E%3C/svg%3E'
  const detail = Object.freeze({ info: { uuid: `uuid-of-${rdns}`, name, icon, rdns }, provider })
  const announce = () => {
    const tellAll = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', tellAll)
    tellAll()
  }
  if (announces === 'at once') announce()
  else Reflect.set(window, names.announce, announce)
}
