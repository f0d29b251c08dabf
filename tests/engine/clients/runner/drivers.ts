import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { root } from '../../../../scripts/steps.ts'
import { runCommand } from '../../../support/run-command.ts'

const drivers = join(import.meta.dirname, '../drivers')
const cache = join(root, 'node_modules/.cache/clients')
const installMsMax = 15 * 60_000

const command = z.array(z.string()).min(1)
const described = z.strictObject({
  name: z.string(),
  /** Commands that must be on the PATH. */
  needs: z.array(z.string()).default([]),
  install: command.nullable().default(null),
  run: command,
  /** Whether it is part of the short run in `npm test`. */
  quick: z.boolean().default(false),
  /** Whether it also reads a balance in each error situation. */
  trouble: z.boolean().default(true),
  /** Whether its step `stillUsable` says what a lost quorum leaves behind. */
  stillUsable: z.boolean().default(false),
  /** How it subscribes. */
  listen: z
    .strictObject({
      run: command,
      streams: z.array(z.enum(['heads', 'logs'])).min(1),
      /** Whether it reads by itself what it was not told. */
      catchesUp: z.boolean().default(false),
    })
    .nullable()
    .default(null),
})

/** A program that uses one client, see tests/engine/clients/README.md. */
export type Driver = z.output<typeof described> & { readonly folder: string }

/** All drivers by folder name. */
export function allDrivers(): readonly Driver[] {
  return readdirSync(drivers)
    .filter((folder) => existsSync(join(drivers, folder, 'driver.json')))
    .sort()
    .map((folder) => ({ ...read(join(drivers, folder, 'driver.json')), folder }))
}

function read(path: string): z.output<typeof described> {
  return described.parse(JSON.parse(readFileSync(path, 'utf8')))
}

/** Commands of a driver that are missing on this machine. */
export function missing({ needs }: Driver): readonly string[] {
  const folders = [join(root, 'node_modules/.bin'), ...(process.env.PATH ?? '').split(delimiter)]
  return needs.filter((name) => !folders.some((folder) => isExecutable(join(folder, name))))
}

/** Installs a driver and returns its folder. Throws with the last output of a failed install. */
export async function prepare(driver: Driver): Promise<string> {
  const source = join(drivers, driver.folder)
  const target = join(cache, driver.folder)
  const stamp = join(target, '.installed')
  const digest = digestOf(source)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return target
  await replaceFolder(source, target)
  if (driver.install !== null) {
    console.log(`${driver.name}: ${driver.install.join(' ')}`)
    const options = { cwd: target, env: driverEnv, msMax: installMsMax }
    const { code, errors, output } = await runCommand(driver.install, options)
    if (code !== 0) throw new Error(`install failed (${code}): ${(errors || output).trim().slice(-1000)}`)
  }
  writeFileSync(stamp, digest)
  return target
}

/** Copies the shared files of drivers, once, before any of them runs. */
export async function prepareSupport(): Promise<void> {
  await replaceFolder(join(drivers, 'support'), join(cache, 'support'))
}

/** Deletes asynchronously: the nodes of another driver's gateway run in this process, and old installations are large. */
async function replaceFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  await cp(from, to, { recursive: true })
}

function digestOf(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort())
    hash.update(entry.slice(folder.length)).update('\0').update(readFileSync(entry)).update('\0')
  return hash.digest('hex')
}

/** Of every driver: the programs of this project come first. */
export const driverEnv = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
