import { guarded, type InjectedProvider } from './injected.ts'
import { attempt, read } from './untrusted.ts'

/** The wallet at `window.ethereum`; undefined when there is none, or none that can be read. */
export function readEthereum(): InjectedProvider | undefined {
  return guarded(read(globalThis.window, 'ethereum'))
}

/** The wallet with this flag at `window.ethereum`, where several wallets may share it; without a flag the first of them. */
export function findInjected(flag?: string): InjectedProvider | undefined {
  const ethereum = readEthereum()
  return [...(ethereum?.providers ?? []), ethereum].find((provider) => flag === undefined || provider?.[flag])
}

/**
 * What a library makes of `window.ethereum`, which it reads without a check: if it cannot, it gets a guarded one. Null if it cannot
 * even then.
 */
export function makeReading<Value>(make: () => Value): Value | null {
  if (!isReadable()) guardEthereum()
  try {
    return make()
  } catch {
    guardEthereum()
    return attempt(make) ?? null
  }
}

function isReadable(): boolean {
  try {
    // Coinbase's SDK reads this when the visitor connects.
    void (window as { ethereum?: { isCoinbaseBrowser?: unknown } }).ethereum?.isCoinbaseBrowser
    return !('ethereum' in window) || readEthereum() !== undefined
  } catch {
    return false
  }
}

/** Puts a guard around `window.ethereum`, unless the property is fixed. Extensions may still set it. */
function guardEthereum(): void {
  const property = Reflect.getOwnPropertyDescriptor(window, 'ethereum')
  let value = property?.value as unknown
  const original = () => (property?.get ? attempt(() => property.get?.call(window)) : value)
  Reflect.defineProperty(window, 'ethereum', {
    configurable: true,
    enumerable: true,
    get: () => guarded(original()),
    set(next: unknown) {
      if (property?.set) attempt(() => property.set?.call(window, next))
      value = next
    },
  })
}
