import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describedText, foundryProgram, output } from '../support/commands.mjs'
import { does, facts, privateKey, url } from '../support/steps.mjs'

// Concurrent runs must not write to the same folder.
const project = mkdtempSync(join(tmpdir(), 'forge-'))
for (const name of ['src', 'foundry.toml'])
  cpSync(join(import.meta.dirname, name), join(project, name), { recursive: true })
const program = foundryProgram('forge', import.meta.dirname)
const asked = process.env.STEPS ? facts.stranger : facts.richest
const env = { ...process.env, NO_COLOR: '1', ASKED: asked, PROBE: facts.probe }
const solc = join(import.meta.dirname, 'solc.mjs')
const forge = (command, ...args) =>
  output(program, [command, ...args, '--root', project, '--use', solc, '--rpc-url', url], {
    env,
    cwd: project,
  })
const step = (name, act) => does(name, act, describedText)

/** The return value of a script, parsed from its output. */
const returned = (said) => /== Return ==\s*([\s\S]*?)\n\n/.exec(`${said}\n\n`)?.[1] ?? said
const script = async (name, ...args) => returned(await forge('script', `src/Tried.sol:${name}`, ...args))

await step('balance', () => script('Balance'))
await step('call', () => script('Read'))
await step('create', async () => {
  const { deployedTo, deployer } = await forge(
    'create',
    'src/Tried.sol:Counter',
    '--private-key',
    privateKey,
    '--broadcast',
    '--json',
  )
  return { deployedTo, deployer }
})
await step('script', async () => {
  const value = await script('Deploy', '--broadcast')
  const run = JSON.parse(
    readFileSync(join(project, `broadcast/Tried.sol/${facts.chainId}/run-latest.json`), 'utf8'),
  )
  return {
    value,
    receipts: run.receipts.map(({ status, gasUsed, contractAddress }) => ({
      status,
      gasUsed,
      contractAddress,
    })),
  }
})
await step('scriptReverts', () => script('Reverts', '--broadcast'))
rmSync(project, { recursive: true })
