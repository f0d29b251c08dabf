import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadEnvFiles } from '#lib/config/env-files.ts'
import { folderForOneTest } from '../../support/folder.ts'

test('.env.local and .env.production take precedence over .env', () => {
  const names = ['A', 'B', 'C', 'D'].map((letter) => `ENV_FILES_${letter}`)
  const folder = folderForOneTest()
  onTestFinished(() => {
    for (const name of names) delete process.env[name]
  })
  const files = ['.env.production.local', '.env.local', '.env.production', '.env']
  // Each file has its own variable and those of the files before it. A variable that is already set stays.
  for (const [index, file] of files.entries()) {
    const lines = names.slice(0, index + 1).map((name) => `${name}=${file}\n`)
    writeFileSync(join(folder, file), lines.join(''))
  }
  writeFileSync(join(folder, '.env.development'), 'ENV_FILES_D=.env.development\n')
  process.env.ENV_FILES_D = ''
  loadEnvFiles(folder, 'production')
  expect(names.map((name) => process.env[name])).toEqual([...files.slice(0, 3), ''])
})
