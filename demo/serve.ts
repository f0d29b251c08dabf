import deployed from '../deploy/chains.json' with { type: 'json' }
import { demoChainsOf } from './demo-chains.ts'
import { startKeeper } from './keeper.ts'
import { say } from './say.ts'
import { startStage } from './stage.ts'

/**
 * The chains of `deploy/chains.json` and their nodes without the app, for docker-compose.yml: on fixed ports from 8540,
 * on all addresses with `--open`. Exits on SIGTERM.
 */
const keeper = startKeeper()
const host = process.argv.includes('--open') ? '0.0.0.0' : '127.0.0.1'
const stage = await startStage({ keeper, host, portsFrom: 8540, chains: demoChainsOf(deployed.chains) })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stage.stop().then(() => process.exit(0)))
stage.failure.catch((cause: unknown) => {
  console.error(String(cause))
  process.exit(1)
})
for (const { chain, nodes } of stage.scenes)
  say(
    `chain ${chain.id} on ${chain.port}, its nodes: ${nodes.map(({ name, url }) => `${name} ${url}`).join(', ')}`,
  )
