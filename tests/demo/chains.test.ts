import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { startChains } from '../../demo/chains.ts'
import artifacts from '../../demo/contracts/artifacts.json' with { type: 'json' }
import { compileContracts } from '../../demo/contracts/compile.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { freePort } from '../../demo/ports.ts'
import { folderForOneTest } from '../support/folder.ts'
import { isGone } from '../support/processes.ts'
import { until } from '../support/until.ts'

test('the stored artifacts match their sources', () => {
  expect(artifacts).toEqual(compileContracts())
})

test('old states of a long chain fill no disk, and none is left behind', async () => {
  const folder = folderForOneTest()
  vi.stubEnv('TMPDIR', folder)
  // With a block a day its first block must be older than its history, or it does not start.
  const own = await startChains({ chains: [{ id: 10 }], blockTimeS: 86_400 })
  vi.unstubAllEnvs()
  // anvil keeps 500 in memory, and then writes two for each block.
  await callNode(own.chain(10).url, 'anvil_mine', ['0x3e8'])
  const written = globSync('**/*.json', { cwd: folder }).length
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThanOrEqual(256)
  await own.stop()
  expect(readdirSync(folder)).toEqual([])
})

describe('no process survives', () => {
  test('after stop, called twice', async () => {
    const own = await startChains({ chains: [{ id: 10 }, { id: 11 }], blockTimeS: 0.25 })
    await own.stop()
    await own.stop()
    expect(own.chains.map(({ pid }) => isGone(pid))).toEqual([true, true])
  })

  test('when one chain cannot start', async () => {
    const port = await freePort()
    const first = await startChains({ chains: [{ id: 10, port }], blockTimeS: 0.25 })
    await expect(startChains({ chains: [{ id: 11 }, { id: 10, port }], blockTimeS: 0.25 })).rejects.toThrow(
      `anvil of chain 10 ended`,
    )
    expect(await callNode(first.chain(10).url, 'eth_chainId')).toBe('0xa')
    await first.stop()
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('when their parent dies of %s', async (signal) => {
    const script = `
      const { startChains } = await import(${JSON.stringify(new URL('../../demo/chains.ts', import.meta.url).href)})
      const { chains } = await startChains({ chains: [{ id: 10 }], blockTimeS: 0.25 })
      console.log(chains[0].pid)
      setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(starter.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    expect(isGone(pid)).toBe(false)
    starter.kill(signal)
    await until(() => isGone(pid))
  })
})
