import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP, type LookupFunction } from 'node:net'

export interface LookupOptions {
  /** Name servers as `address:port`; those of the system by default. */
  readonly servers?: readonly string[]
  /** The look-up of the system, for names that no name server knows. */
  readonly system?: (hostname: string) => Promise<readonly LookupAddress[]>
  /** The text of the hosts file. */
  readonly hosts?: () => string
  readonly limits?: Partial<typeof limitsDefault>
}

const limitsDefault = {
  /** A look-up that takes longer has failed. */
  lookupMsMax: 5_000,
  /** After that the last good addresses are used, where there are any. The look-up goes on. */
  lastGoodAfterMs: 250,
  /** How long the last good addresses are used without a look-up, after one that failed. */
  restMs: 5_000,
  /** How long the last good addresses of a name are kept at all. */
  lastGoodMsMax: 86_400_000,
  /** How long the second of IPv4 and IPv6 is waited for once the first has come (RFC 8305, 3). */
  otherFamilyMsMax: 50,
}

/** The code of a look-up that was not answered in time. */
const lookupTimeout = 'ETIMEOUT'
const noSuchName = 'ENOTFOUND'

/**
 * Looks names up for every connection of the process. The order is the usual one: hosts file, name servers, and whatever else the
 * system knows (search domains, mDNS). Name servers are asked by c-ares: getaddrinfo blocks one of libuv's threads for each
 * look-up, two at most, so that two names without an answer would stop all others.
 */
export function createLookup(options: LookupOptions = {}): LookupFunction {
  const limits = { ...limitsDefault, ...options.limits }
  const names = new Names({ system: resolveBySystem, hosts: readHostsFile, ...options, limits })
  return (hostname, options, callback) => {
    names.resolve(hostname).then(
      (all) => {
        const family = familyOf(options.family)
        const wanted = family === 0 ? all : all.filter((each) => each.family === family)
        const [first] = wanted
        if (first === undefined) callback(fault(hostname, noSuchName), '')
        else if (options.all) callback(null, [...wanted])
        else callback(null, first.address, first.family)
      },
      (cause: NodeJS.ErrnoException) => callback(cause, ''),
    )
  }
}

interface Name {
  /** The look-up under way; ends early with the last good addresses. */
  pending: Promise<readonly LookupAddress[]> | null
  lastGood: readonly LookupAddress[]
  lastGoodAtMs: number
  /** Until then the last good addresses are used without a look-up. */
  restUntilMs: number
}

type NamesOptions = LookupOptions &
  Required<Pick<LookupOptions, 'system' | 'hosts'>> & { readonly limits: typeof limitsDefault }

class Names {
  readonly #options: NamesOptions
  #resolver: Resolver
  // Names come only from the configuration, so the map grows by reloads only.
  readonly #names = new Map<string, Name>()

  constructor(options: NamesOptions) {
    this.#options = options
    this.#resolver = createResolver(options.servers)
  }

  resolve(hostname: string): Promise<readonly LookupAddress[]> {
    const fresh: Name = { pending: null, lastGood: [], lastGoodAtMs: 0, restUntilMs: 0 }
    const name = this.#names.get(hostname) ?? fresh
    this.#names.set(hostname, name)
    if (performance.now() < name.restUntilMs) return Promise.resolve(name.lastGood)
    name.pending ??= this.#start(hostname, name).finally(() => {
      name.pending = null
    })
    return name.pending
  }

  async #start(hostname: string, name: Name): Promise<readonly LookupAddress[]> {
    const { lookupMsMax, lastGoodAfterMs, restMs, lastGoodMsMax } = this.#options.limits
    const found = within(lookupMsMax, this.#find(hostname), () => fault(hostname, lookupTimeout))
    found.then(
      (lastGood) => Object.assign(name, { lastGood, lastGoodAtMs: performance.now(), restUntilMs: 0 }),
      () => {},
    )
    if (name.lastGood.length === 0 || performance.now() - name.lastGoodAtMs > lastGoodMsMax) return found
    return within(lastGoodAfterMs, found, () => fault(hostname, lookupTimeout)).catch((cause: unknown) => {
      // "No such name" is an answer, and replaces the last good one (RFC 8767, 4).
      if (isNoSuchName(cause)) throw cause
      name.restUntilMs = performance.now() + restMs
      return name.lastGood
    })
  }

  async #find(hostname: string): Promise<readonly LookupAddress[]> {
    const { hosts, system, limits } = this.#options
    const listed = readHosts(hosts(), hostname)
    if (listed.length > 0) return listed
    // RFC 6761, 6.3: no name server is asked for these.
    if (/(^|\.)localhost$/i.test(hostname)) return system(hostname)
    const families = [
      this.#resolver.resolve4(hostname).then((all) => all.map((address) => ({ address, family: 4 }))),
      this.#resolver.resolve6(hostname).then((all) => all.map((address) => ({ address, family: 6 }))),
    ]
    try {
      return await gather(families, limits.otherFamilyMsMax)
    } catch (cause) {
      if (!isSilence(cause)) return system(hostname)
      // The name servers may be others by now.
      this.#resolver = createResolver(this.#options.servers)
      throw fault(hostname, lookupTimeout)
    }
  }
}

/** The addresses of both families, IPv4 first: a broken IPv6 route is silent, a missing IPv4 route is an error at once. */
async function gather(
  families: readonly Promise<readonly LookupAddress[]>[],
  otherFamilyMsMax: number,
): Promise<readonly LookupAddress[]> {
  const found = families.map((): readonly LookupAddress[] => [])
  const all = families.map((family, index) =>
    family.then((addresses) => {
      found[index] = addresses
    }),
  )
  await Promise.any(all).catch(({ errors }: AggregateError) => {
    throw errors.find(isSilence) ?? errors[0]
  })
  await within(otherFamilyMsMax, Promise.allSettled(all), () => null).catch(() => {})
  return found.flat()
}

function createResolver(servers: readonly string[] | undefined): Resolver {
  // Two tries end within `lookupMsMax`, with a second name server where the first one is silent.
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}

const hasCode = (code: string) => (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === code
const isSilence = hasCode(lookupTimeout)
const isNoSuchName = hasCode(noSuchName)
const tooManyFiles = (cause: unknown) => hasCode('EMFILE')(cause) || hasCode('ENFILE')(cause)

/** Rejects after `ms` with what `late` returns. */
function within<Value>(ms: number, pending: Promise<Value>, late: () => unknown): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms)
    pending.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  return family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0)
}

function fault(hostname: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`look-up of ${hostname}: ${code}`), { code, hostname })
}

function resolveBySystem(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, order: 'ipv4first' }, (cause, all) =>
      cause === null ? resolve(all) : reject(cause),
    )
  })
}

/** Without a hosts file there are no names in it. Where no file can be opened, no name server can be asked either. */
function readHostsFile(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8')
  } catch (cause) {
    if (tooManyFiles(cause)) throw cause
    return ''
  }
}

/** The addresses that a hosts file gives a name, in its order. Names are compared without regard to case. */
export function readHosts(text: string, hostname: string): readonly LookupAddress[] {
  const name = hostname.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((each) => each.toLowerCase() === name) ? [{ address, family }] : []
  })
}
