import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { folderForOneFile } from '../support/folder.ts'

const root = join(import.meta.dirname, '../..')
const project = folderForOneFile()

beforeAll(() => {
  for (const name of ['tsconfig.json', 'tsconfig.next.json']) cpSync(join(root, name), join(project, name))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
})

function write(path: string, text: string): void {
  const file = join(project, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

function typeCheck(config: string): string {
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, '--noEmit']
  return spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).stdout
}

/** What Next leaves behind of a page that is gone. A build writes `.next/types` anew before it reads them. */
const stale = "export const handler = {} as typeof import('../../app/gone/page.js')\n"

test.each([
  ['the next build', 'tsconfig.next.json', ['.next/dev/types']],
  ['npm run verify', 'tsconfig.json', ['.next/dev/types', '.next/types']],
])('after a page was moved or deleted under `npm run dev`, %s does not fail', (_, config, folders) => {
  for (const folder of folders) write(`${folder}/validator.ts`, stale)
  write('app/page.ts', 'export const title: string = 1\n')
  expect(typeCheck(config).trim().split('\n')).toEqual([expect.stringContaining('app/page.ts')])
})
