import type { Import, Source } from './sources.ts'

/** Folders in layers, the lowest first. */
export type Layers = readonly (readonly string[])[]

/** The folders of `lib/` in layers, the lowest first. The files of its root are the bottom: what every folder may use. */
export const libLayers: Layers = [
  ['root'],
  ['config', 'limits', 'certificate'],
  ['transport'],
  ['observe', 'beacon'],
  ['engine'],
  ['sign-in', 'operator', 'status'],
  ['redis', 'routes', 'page'],
  ['reads', 'console', 'names'],
  ['token'],
  ['wallet', 'host/node', 'host/edge'],
  ['host'],
]

/** The base's own folders of `app/`. */
const appFolders = [
  '_evidence _home _operator _portfolio _send _ui _wallet .well-known account answers api approvals',
  'console demo-wallet.js manifest.json sign-in status token',
].flatMap((names) => names.split(' '))

/** Whether a file is the base's own. How a fork writes its pages, its folders of `lib/` and its contracts is the fork's concern. */
export function isOwn({ path }: Pick<Source, 'path'>): boolean {
  const [area, folder = '', ...rest] = path.split('/')
  if (area === 'contracts') return false
  if (rest.length === 0 || (area !== 'app' && area !== 'lib')) return true
  return area === 'app' ? appFolders.includes(folder) : libLayers.flat().includes(folderOf(path, libLayers))
}

/** The folder of a file below `area/`, as `layers` names it; `root` for the area's own files. */
export function folderOf(path: string, layers: Layers): string {
  const folders = path.split('/').slice(1, -1)
  const known = layers.flat().find((name) => `${folders.join('/')}/`.startsWith(`${name}/`))
  return known ?? folders[0] ?? 'root'
}

/** An import leads to the same folder or to a lower layer, never up, and never to another folder of the same layer. */
function isAllowed(from: string, to: string, layers: Layers): boolean {
  const [here, there] = [folderOf(from, layers), folderOf(to, layers)]
  const [upper, lower] = [here, there].map((name) => layers.findIndex((names) => names.includes(name)))
  if (upper === undefined || lower === undefined || upper < 0 || lower < 0) return false
  return here === there || lower < upper
}

/** Every import within the area that leads up or across, one sentence each. Type-only imports count too. */
export function wrongWays(area: readonly Source[], layers: Layers): string[] {
  const paths = new Set(area.map(({ path }) => path))
  const isWrong = (from: string, seen: Import) =>
    seen.kind === 'file' && paths.has(seen.path) && !isAllowed(from, seen.path, layers)
  return area.flatMap(({ path, imports }) =>
    imports.filter((seen) => isWrong(path, seen)).map(({ specifier }) => `${path} imports ${specifier}`),
  )
}

export function foldersOf(area: readonly Source[], layers: Layers): string[] {
  return [...new Set(area.map(({ path }) => folderOf(path, layers)))].toSorted()
}
