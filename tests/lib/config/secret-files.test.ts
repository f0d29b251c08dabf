import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { readConfigFile } from '#lib/config/config-file.ts'
import { EnvError } from '#lib/config/env.ts'
import { followFiles, readKeyFiles, readSecretFiles, secretPaths } from '#lib/config/secret-files.ts'
import { folderForOneTest } from '../../support/folder.ts'

let folder: string
beforeEach(() => {
  folder = folderForOneTest()
})
const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('a secret is read from the file that its variable names, without the line end of an editor', () => {
  const path = write('token', 'a-token-of-the-operator\n')
  expect(readSecretFiles({ OPERATOR_TOKEN_FILE: path, PATH: '/bin' })).toEqual({
    OPERATOR_TOKEN: 'a-token-of-the-operator',
  })
})

test('a file that is not there, or is empty, is a fault that names the variable, and not the path', () => {
  const source = { OPERATOR_TOKEN_FILE: join(folder, 'none'), REDIS_URL_FILE: write('empty', '\n') }
  expect(() => readSecretFiles(source)).toThrow(EnvError)
  expect(() => readSecretFiles(source)).toThrow(
    /^environment refused:\n- OPERATOR_TOKEN_FILE is empty or cannot be read\n- REDIS_URL_FILE is empty or cannot be read$/,
  )
})

test("a node's key may be a file: NAME_FILE for ${NAME} in a configuration", () => {
  const path = write('key', 'k3y\n')
  const config = { chains: [{ id: 1, nodes: [{ url: 'https://a.example/${A_KEY}' }] }] }
  expect(readKeyFiles(config, { A_KEY_FILE: path, B_KEY_FILE: path })).toEqual({ A_KEY: 'k3y' })
  expect(readKeyFiles(config, {})).toEqual({})
})

/** A configuration with a node whose key is in this file. */
function readConfig(keyFile: string) {
  vi.stubEnv('SECRET_FILES_TEST_KEY_FILE', keyFile)
  const chains = [{ id: 1, nodes: [{ name: 'a', url: 'https://a.example/${SECRET_FILES_TEST_KEY}' }] }]
  return readConfigFile(write('chains.json', JSON.stringify({ version: 1, chains })))
}

test('a configuration file takes the keys of its nodes from files', () => {
  expect(readConfig(write('key', 'k3y')).chains[0]?.nodes[0]?.url).toBe('https://a.example/k3y')
})

test.each([
  ['is empty', () => write('empty', '\n')],
  ['is not there', () => join(folder, 'none')],
])("a node's key is not taken from its variable where its file %s", (_, path) => {
  vi.stubEnv('SECRET_FILES_TEST_KEY', 'a-key-of-before')
  expect(() => readConfig(path())).toThrow('SECRET_FILES_TEST_KEY is empty')
})

test('what is followed are files of secrets and keys, never the configuration, which is followed by itself', () => {
  expect(secretPaths({ A_FILE: '/a', RPC_CONFIG_FILE: '/b', B: '/c', C_FILE: '' })).toEqual(['/a'])
})

test('a Secret that Kubernetes renews by replacing a symlink is noticed', async () => {
  const path = join(folder, 'token')
  const secrets = ['first', 'second'].map((text) => write(text, text))
  symlinkSync(secrets[0] ?? '', path)
  const onChange = vi.fn()
  const { stop } = followFiles([path], onChange)
  let turn = 0
  // Again and again: the first look at the file may come after the first change.
  const countAfterChange = () => {
    rmSync(path)
    symlinkSync(secrets[++turn % 2] ?? '', path)
    return onChange.mock.calls.length
  }
  await expect.poll(countAfterChange).toBeGreaterThan(0)
  stop()
})
