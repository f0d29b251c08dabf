import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { root } from '../../scripts/steps.ts'
import { ensurePrograms } from '../../scripts/system-packages.ts'

/**
 * `npm test -- kubernetes`: what kustomize makes of both overlays and of each component, against the published schemas. Their
 * validator says what is missing or of a wrong type, and their types what no such object has.
 */
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}
type Models = Readonly<Record<string, new (value: Manifest) => { readonly validate: () => void }>>

const components = readdirSync(join(root, 'deploy/kubernetes/components'))
/** Which schemas are not Kubernetes' own. */
const packages: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

const folder = join(root, 'node_modules/.cache/kubernetes')
const advice = ensurePrograms(['kubectl'])
if (advice !== null) {
  console.log(advice)
  process.exit(1)
}
mkdirSync(folder, { recursive: true })
for (const name of ['package.json', 'package-lock.json'])
  cpSync(join(import.meta.dirname, 'schemas', name), join(folder, name))
run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])

const manifests = ['overlays/small', 'overlays/scaled', ...components].flatMap(build)
for (const each of manifests) await check(each)
typecheck()
console.log(`${manifests.length} manifests are valid`)

/** The manifests of an overlay; a component is put on the small one. */
function build(name: string): readonly Manifest[] {
  const place = components.includes(name) ? withComponent(name) : join(root, 'deploy/kubernetes', name)
  return parseAllDocuments(run('kubectl', ['kustomize', place])).map((document) => document.toJS())
}

function withComponent(name: string): string {
  const copy = join(folder, 'kubernetes')
  cpSync(join(root, 'deploy/kubernetes'), copy, { recursive: true })
  const overlay = join(copy, 'overlays', name)
  mkdirSync(overlay, { recursive: true })
  const onSmall = `resources: [../small]\ncomponents: [../../components/${name}]\n`
  writeFileSync(join(overlay, 'kustomization.yml'), onSmall)
  return overlay
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  return `${packages[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}/${kind}`
}

async function check(manifest: Manifest): Promise<void> {
  const path = join(folder, 'node_modules', `${moduleOf(manifest)}.js`)
  const models: Models = await import(pathToFileURL(path).href)
  const Kind = models[manifest.kind]
  if (Kind === undefined) throw new Error(`no schema of ${manifest.kind}`)
  try {
    new Kind(manifest).validate()
  } catch (cause) {
    throw new Error(`${manifest.kind} ${manifest.metadata.name}: ${String(cause)}`)
  }
}

/** An object literal of a type may have nothing that the type does not name. */
function typecheck(): void {
  const lines = manifests.map(
    (each, at) =>
      `import type { I${each.kind} as T${at} } from '${moduleOf(each)}'\nexport const m${at}: T${at} = ${JSON.stringify(each, null, 1)}`,
  )
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
  const flags = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2022'.split(' ')
  const { status, stdout } = spawnSync('tsc', [...flags, 'manifests.ts'], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
