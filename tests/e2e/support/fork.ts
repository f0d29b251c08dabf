import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { colours, site } from '#site'
import { ensureBuild } from '../../../demo/build.ts'
import { type DemoChain, demoChains, demoChainsOf } from '../../../demo/demo-chains.ts'
import type { Keeper } from '../../../demo/keeper.ts'
import type { Stage, StageOptions } from '../../../demo/stage.ts'
import { integrityOf } from '../../../scripts/describe/update.ts'
import { linkPackages } from '../../support/link-packages.ts'

const root = join(import.meta.dirname, '../../..')
const copy = join(root, '.demo/fork')
/** Served by `npm run dev`. */
export const devCopy = join(root, '.demo/dev')
const left = new Set(['tests', 'docs', 'node_modules', 'test-results', 'coverage'])

/**
 * Builds a fork: this project with the pages of docs/build, and those of tests/e2e/fork, which follow wagmi's guides. Its stage
 * has the chains that the project's does not have, with the contracts of the guide.
 */
export async function buildFork(
  options: StageOptions & { readonly keeper: Keeper },
): Promise<{ readonly folder: string; readonly stage: Stage }> {
  copyProject(copy)
  cpSync(join(root, 'tests/e2e/fork/app'), join(copy, 'app'), { recursive: true, preserveTimestamps: true })
  adopt()
  for (const { path, code } of guideFiles()) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), code)
  }
  pinRegistry()
  edit('contracts/descriptors.ts', [['descriptors = {', `descriptors = {\n  lie: ${JSON.stringify(lie)},`]])
  // That of the fork: it records the contracts, whose addresses the build has.
  const demo: typeof import('../../../demo/stage.ts') = await import(join(copy, 'demo/stage.ts'))
  const stage = await demo.startStage({ ...options, chains: await forkChains() })
  await ensureBuild(copy, options.keeper)
  return { folder: copy, stage }
}

/** This project without suites and documents. What was built there before stays. */
export function copyProject(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (!['node_modules', '.next', '.demo'].includes(name)) rmSync(join(folder, name), { recursive: true })
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || name === '.npmrc'))
      cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true })
  if (!existsSync(join(folder, 'node_modules'))) linkPackages(folder)
}

/** What the fork changes, as docs/build/identity.md says. */
export const identity = {
  name: 'Vaultine',
  accent: { light: '#2450c8', dark: '#8fb0ff' },
  image: 'https://images.example',
  chainId: 10,
}

/** What `tests/e2e/fork/app/lie` calls, in words that are not true. */
const lie = {
  descriptor: {
    context: {
      contract: { deployments: [{ chainId: 137, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }] },
    },
    display: {
      formats: {
        'transferFrom(address from, address to, uint256 value)': {
          intent: 'Renew your membership',
          fields: [{ path: 'to', label: 'Club', format: 'addressName' }],
        },
      },
    },
  },
}

const accentLine = ({ light, dark }: typeof identity.accent) =>
  `accent: { light: '${light}', dark: '${dark}' }`

/** The name and a colour of the fork, in this copy. */
export function adoptIdentity(folder: string): void {
  edit(
    'site.config.ts',
    [
      [`name: '${site.name}'`, `name: '${identity.name}'`],
      [accentLine(colours.accent), accentLine(identity.accent)],
    ],
    folder,
  )
}

function adopt(): void {
  adoptIdentity(copy)
  edit('site.config.ts', [
    ['images: []', `images: ['${identity.image}']`],
    ["home: '/'", "home: '/tutorial'"],
    ['menu: [', "menu: [\n    { href: '/tutorial', text: 'Tutorial' },"],
    ['token: true', 'token: false'],
    ['console: true', 'console: false'],
    ["'brave'", "'rabby'"],
  ])
  edit('lib/wallet/listed.ts', [
    ['const factories = {\n', `const factories = {\n${block('identity.md', '## Choose the wallets')}`],
    ['  rainbowWallet,\n', '  rabbyWallet,\n  rainbowWallet,\n'],
  ])
  // Both in one build: the address says which.
  edit('app/_wallet/modals-host.tsx', [
    [
      "import { WalletModals } from './rainbow/wallet-modals.tsx'",
      "import { WalletModals as Plain } from './plain-modals.tsx'\nimport { WalletModals as Rainbow } from './rainbow/wallet-modals.tsx'",
    ],
    [
      'export interface',
      "const WalletModals = location.hash === '#plain' ? Plain : Rainbow\n\nexport interface",
    ],
  ])
  // As docs/deploy.md says, for a Next without the edge runtime.
  edit('app/api/rpc/[[...path]]/route.ts', [["runtime = 'edge'", "runtime = 'nodejs'"]])
  edit('quorate.config.ts', [['\n  ],\n}\n', `\n${block('identity.md', '## Add a chain')}  ],\n}\n`]])
}

/** What `npm run describe -- update` leaves: words for the demo's token of another chain. */
function pinRegistry(): void {
  const path = 'registry/demo/calldata-token.json'
  const text = JSON.stringify({
    display: { formats: { 'faucet()': { intent: 'Take free tokens', fields: [] } } },
  })
  const contracts = { 'eip155:42161:0x5fbdb2315678afecb367f032d93f642f64180aa3': path }
  const index = JSON.stringify({ contracts, files: { [path]: integrityOf(text) } })
  const folder = join(copy, 'public/descriptors')
  mkdirSync(join(folder, dirname(path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  writeFileSync(join(folder, 'index.json'), index)
  const pinned = { commit: '0'.repeat(40), integrity: integrityOf(index) }
  writeFileSync(join(copy, 'contracts/registry.json'), JSON.stringify(pinned))
}

function edit(
  path: string,
  changes: readonly (readonly [from: string, to: string])[],
  folder: string = copy,
): void {
  const changed = changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replace(from, () => to)
    },
    readFileSync(join(folder, path), 'utf8'),
  )
  writeFileSync(join(folder, path), changed)
}

/** The first block of code in a guide after a heading. */
function block(guide: string, heading: string): string {
  const text = readFileSync(join(root, 'docs/build', guide), 'utf8')
  return /^```ts\n(.*?)^```$/ms.exec(text.slice(text.indexOf(`${heading}\n`)))?.[1] ?? ''
}

/** The classes and components of `app/_ui` that a guide lists. */
export function looks(): readonly string[] {
  const text = readFileSync(join(root, 'docs/build/identity.md'), 'utf8')
  const rows = /^## What pages are made of$.*?^\|---\|---\|\n(.*?)\n\n/ms.exec(text)?.[1]?.split('\n')
  const names = rows?.flatMap((row) => row.split(' | ')[0]?.match(/\w+/g) ?? [])
  if (names === undefined) throw new Error('docs/build/identity.md lists nothing')
  return names
}

/** The chains of the fork's own demo that the project's does not have. */
export async function forkChains(): Promise<readonly DemoChain[]> {
  const { default: config } = (await import(join(copy, 'quorate.config.ts'))) as typeof import('#config')
  return demoChainsOf(config.chains).slice(demoChains.length)
}

interface GuideFile {
  /** Below the project's folder. */
  readonly path: string
  readonly code: string
}

/** The code blocks with a file name of all guides. */
export function guideFiles(): readonly GuideFile[] {
  return globSync('docs/build/*.md', { cwd: root }).flatMap((guide) =>
    [
      ...readFileSync(join(root, guide), 'utf8').matchAll(
        /^```(?:tsx?|json|solidity) title="([^"]+)"\n(.*?)^```$/gms,
      ),
    ].map(([, path = '', code = '']) => ({ path, code })),
  )
}
