import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { linkPackages } from '../../scripts/app-copy.ts'
import { root } from '../../scripts/steps.ts'

test('npm installs in a copy without a word about it in this checkout, which would install again', () => {
  mkdirSync(join(root, '.demo'), { recursive: true })
  const copy = mkdtempSync(join(root, '.demo/copy-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  linkPackages(copy)
  const isShared = (path: string) =>
    statSync(join(copy, 'node_modules', path)).ino === statSync(join(root, 'node_modules', path)).ino
  expect(isShared('.package-lock.json')).toBe(false)
  expect(isShared('next/package.json')).toBe(process.platform === 'linux')
})
