import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a build of Next declares of the app. */
export type BuiltApp = ReturnType<typeof readBuiltApp>

interface Matched {
  readonly page: string
  readonly regex: string
}

/** Reads the manifests of a build in `folder`. */
export function readBuiltApp(folder: string) {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const references: Readonly<Record<'node' | 'edge', object>> = read('server/server-reference-manifest.json')
  const files: Readonly<Record<string, string>> = read('app-path-routes-manifest.json')
  const { staticRoutes, dynamicRoutes }: Readonly<Record<string, readonly Matched[]>> =
    read('routes-manifest.json')
  const pages = new Set(
    Object.entries(files).flatMap(([file, route]) => (file.endsWith('/page') ? [route] : [])),
  )
  // In Next's order: the first that matches answers.
  const routes = [...(staticRoutes ?? []), ...(dynamicRoutes ?? [])].map(({ page, regex }) => ({
    isPage: pages.has(page),
    pattern: new RegExp(regex),
  }))
  return {
    /** The ids of its Server Actions. */
    actions: new Set(Object.keys({ ...references.node, ...references.edge })),
    /** Whether a path leads to a page, and not to a route handler. */
    isPage: (path: string): boolean => routes.find(({ pattern }) => pattern.test(path))?.isPage ?? false,
  }
}
