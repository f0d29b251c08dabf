import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createReachedFile } from '#lib/beacon/reached-file.ts'
import { folderForOneFile } from '../../support/folder.ts'

const folder = folderForOneFile()
const path = join(folder, 'beacon.json')
const rootOf = (byte: string) => `0x${byte.repeat(32)}`
const [checkpoint, other, reached] = [rootOf('aa'), rootOf('bb'), rootOf('cc')]

test('what was written is read after a restart, and nothing else is left in the folder', () => {
  expect(createReachedFile(path, checkpoint).read()).toBeNull()
  expect(createReachedFile(path, checkpoint).write(other)).toBeNull()
  expect(createReachedFile(path, checkpoint).write(reached)).toBeNull()
  expect(createReachedFile(path, checkpoint).read()).toBe(reached)
  expect(readdirSync(folder)).toEqual(['beacon.json'])
})

test('what was reached from another checkpoint is passed over: the operator may have had a reason', () => {
  expect(createReachedFile(path, other).read()).toBeNull()
})

test.each([
  ['empty', ''],
  ['cut off', '{"checkpoint":"0xaa'],
  ['of another kind', '{"version":2}'],
  ['without a root', JSON.stringify({ checkpoint, reached: '0x12' })],
])('a file that is %s is as none', (_, text) => {
  writeFileSync(path, text)
  expect(createReachedFile(path, checkpoint).read()).toBeNull()
})

test('a folder that is not there is said', () => {
  expect(createReachedFile(join(folder, 'none', 'beacon.json'), checkpoint).write(reached)).toBe(
    'beacon.file cannot be written: ENOENT',
  )
})
