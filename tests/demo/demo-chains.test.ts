import { expect, onTestFinished, test } from 'vitest'
import config from '#config'
import { demoChains, demoChainsOf } from '../../demo/demo-chains.ts'
import { startStage } from '../../demo/stage.ts'

test('each configured chain has a local one with the block time of the real one', () => {
  expect(demoChains.map(({ facts }) => facts.id)).toEqual(config.chains.map(({ id }) => id))
  const chains = demoChainsOf([{ id: 137 }, { id: 1 }, { id: 42161 }])
  expect(chains.map(({ blockTimeS }) => blockTimeS)).toEqual([2, 12, 0.25])
})

test('a chain that is added by its id alone has a name and a block time in the demo', () => {
  const added = demoChainsOf([...config.chains, { id: 10 }]).at(-1)
  expect(added).toMatchObject({ label: 'OP Mainnet', blockTimeS: 2 })
  expect(demoChainsOf([{ id: 987_654_321 }])).toMatchObject([{ label: 'Chain 987654321', blockTimeS: 1 }])
})

test('the demo starts a chain that is added, with its own nodes', async () => {
  const stage = await startStage({ chains: demoChainsOf([{ id: 10, name: 'Ten' }]), blockTimeS: 0.25 })
  onTestFinished(() => stage.stop())
  expect(stage.scenes.map(({ label, nodes }) => [label, nodes.length])).toEqual([['Ten', 7]])
  expect(stage.config.chains).toMatchObject([{ id: 10, name: 'Ten' }])
})
