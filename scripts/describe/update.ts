import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Descriptor, mergeDescriptors } from '@ethereum-sourcify/clear-signing'

export const registryUrl = 'https://raw.githubusercontent.com/ethereum/clear-signing-erc7730-registry'

/** Of one file; of all of them; files that one includes; what a file may take. */
export const fileBytesMax = 1 << 20
export const filesMax = 2000
export const includesMax = 4
const withinMs = 15_000
const atOnce = 8

interface RegistryWish {
  /** Before `/<commit>/<path>`. */
  readonly from: string
  readonly commit: string
  readonly chainIds: readonly number[]
  /** Which the files are written to. What was in it before is gone. */
  readonly folder: string
  /** Of the index, where it is pinned: nothing else is written. */
  readonly integrity?: string
}

/**
 * Fetches the registry's descriptors of calls to contracts of these chains, each with what it includes. Writes all of them or none.
 * `integrity` is the hash of the index, which has those of all files.
 */
export async function updateRegistry({ from, commit, chainIds, folder, integrity }: RegistryWish) {
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new Error(`not a commit of 40 hex digits: ${commit}`)
  const get = (path: string) => fetchText(`${from}/${commit}/${path}`)
  const contracts = contractsOf(JSON.parse(await get('index.calldata.json')), chainIds)
  const paths = [...new Set(Object.values(contracts))]
  if (paths.length > filesMax) throw new Error(`${paths.length} files: more than ${filesMax}`)
  const read = async (path: string) => JSON.stringify(partsOf(await readWhole(path, get)))
  const texts: string[] = []
  for (let first = 0; first < paths.length; first += atOnce)
    texts.push(...(await Promise.all(paths.slice(first, first + atOnce).map(read))))
  const licence = await get('LICENSE').catch(() => null)
  const files = Object.fromEntries(paths.map((path, index) => [path, integrityOf(texts[index] ?? '')]))
  const index = JSON.stringify({ contracts, files })
  if (integrity !== undefined && integrity !== integrityOf(index))
    throw new Error(`${from} has other files of ${commit} than contracts/registry.json pins`)
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [at, path] of paths.entries()) write(path, texts[at] ?? '')
  write('index.json', index)
  if (licence !== null) write('LICENSE', licence)
  return { commit, integrity: integrityOf(index), files: paths.length, hasLicence: licence !== null }
}

/** As the `integrity` of a fetch. */
export function integrityOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** The paths of descriptors by `eip155:<chain>:<address>`. A path that could lead out of the folder is an error. */
function contractsOf(index: unknown, chainIds: readonly number[]): Readonly<Record<string, string>> {
  const entries = Object.entries(index as Readonly<Record<string, unknown>>).filter(([key]) =>
    chainIds.includes(Number(/^eip155:(\d+):0x[0-9a-f]{40}$/.exec(key)?.[1])),
  )
  return Object.fromEntries(entries.toSorted().map(([key, path]) => [key, checkPath(path)]))
}

function checkPath(path: unknown): string {
  if (typeof path === 'string' && path.split('/').every((part) => /^\w[\w.-]*$/.test(part))) return path
  throw new Error(`not a path of the registry: ${JSON.stringify(path)}`)
}

type Get = (path: string) => Promise<string>

/** With everything that it includes. */
async function readWhole(path: string, get: Get, depth = 0): Promise<Descriptor> {
  if (depth > includesMax) throw new Error(`${path}: includes more than ${includesMax} deep`)
  const descriptor = JSON.parse(await get(path)) as Descriptor
  if (typeof descriptor.includes !== 'string') return descriptor
  const { pathname } = new URL(descriptor.includes, `http://registry/${path}`)
  return mergeDescriptors(descriptor, await readWhole(checkPath(pathname.slice(1)), get, depth + 1))
}

/** What a review reads. */
function partsOf({ metadata, display }: Descriptor) {
  const { constants, enums } = metadata ?? {}
  return { metadata: { constants, enums }, display }
}

async function fetchText(url: string): Promise<string> {
  const signal = AbortSignal.timeout(withinMs)
  const response = await fetch(url, { redirect: 'error', signal }).catch((cause: unknown) => {
    throw new Error(`${url}: no answer`, { cause })
  })
  if (!response.ok || !response.body) throw new Error(`${url}: HTTP ${response.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > fileBytesMax) throw new Error(`${url}: more than ${fileBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
