import { expect, test } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { initialConfig } from '#lib/config/start-config.ts'

test('RPC_CONFIG=null, as a template writes an empty value, is refused, and does not stand for the shipped nodes', () => {
  expect(() => initialConfig(parseEnv({ RPC_CONFIG: 'null' }))).toThrow('must be an object')
  expect(initialConfig(parseEnv({ RPC_CONFIG: '' })).chains.length).toBeGreaterThan(0)
})
