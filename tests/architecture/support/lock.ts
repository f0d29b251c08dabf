import type manifest from '../../../package.json'
import { read } from './sources.ts'

type Locked = {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: true
  readonly optional?: true
  readonly os?: readonly string[] | string
  readonly cpu?: readonly string[] | string
  readonly hasInstallScript?: true
}

export const lockText = read('package-lock.json')

const { '': lockedRoot, ...packages } = JSON.parse(lockText).packages

/** The lock entry of the project itself. */
export const locked: typeof manifest = lockedRoot

/** Every locked package by its path under the root. */
export const lock: Readonly<Record<string, Locked>> = packages

/** Production packages, for every platform. */
export const production = Object.entries(lock).filter(([, entry]) => !entry.dev)

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** All locked versions of a package, anywhere in the tree. */
export function versionsOf(name: string): readonly string[] {
  const found = Object.entries(lock).filter(([path]) => nameOf(path) === name)
  return [...new Set(found.map(([, { version }]) => version))]
}
