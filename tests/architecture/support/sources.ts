import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

export type Import =
  | { readonly kind: 'file'; readonly specifier: string; readonly path: string }
  | { readonly kind: 'package'; readonly specifier: string; readonly name: string }
  | { readonly kind: 'builtin'; readonly specifier: string }

export type Source = {
  /** Relative to the project root, with slashes. */
  readonly path: string
  readonly imports: readonly Import[]
  readonly readsEnvironment: boolean
}

export const root = join(import.meta.dirname, '../../..')

const { imports: aliases } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>
}

/** What others import of the engine, by alias: a file of `rpc-proxy/`, or a package where it is one. */
export const engineEntries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(aliases).filter(([alias]) => alias.startsWith('#rpc-proxy')),
)

const patterns = ['*.{ts,mjs}', '{app,contracts,demo,lib,rpc-proxy,scripts,tests}/**/*.{ts,tsx,mjs}']

const hasSource = new Set([
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportDeclaration',
  'ImportExpression',
  'TSImportType',
])

/** Every source file of the project, parsed; type-only imports, re-exports and `import('x')` types count as imports. */
export const sources: readonly Source[] = globSync(patterns, { cwd: root })
  // What the examples import is installed by those who try them.
  .filter(
    (path) =>
      !path.endsWith('.d.ts') &&
      !path.startsWith('rpc-proxy/examples/') &&
      !path.startsWith('rpc-proxy/dist/'),
  )
  .sort()
  .map(sourceOf)

/** The files of one area, such as `lib` or `rpc-proxy/quorum`. */
export function within(area: string): readonly Source[] {
  return sources.filter(({ path }) => path.startsWith(`${area}/`))
}

/** The text of a file of the project. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Parses one file. Throws on syntax errors, because an unparsed file would pass every rule. */
export function programOf(path: string): Node {
  const { program, errors } = parseSync(path, read(path))
  const fault = errors.find(({ severity }) => severity === 'Error')
  if (fault) throw new Error(`${path}: ${fault.message}`)
  return program as unknown as Node
}

function sourceOf(path: string): Source {
  const nodes = [...walk(programOf(path))]
  const imports = nodes.flatMap(specifierOf).map((specifier) => resolve(path, specifier))
  return { path, imports, readsEnvironment: nodes.some(isEnvironment) || imports.some(isProcess) }
}

export type Node = { readonly type: string; readonly [key: string]: unknown }

/** All nodes of a syntax tree. */
export function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const child of Object.values(value)) yield* walk(child)
}

function specifierOf(node: Node): string[] {
  const isRequire = node.type === 'CallExpression' && nameOf(node.callee) === 'require'
  const said = isRequire ? (node.arguments as unknown[])[0] : hasSource.has(node.type) && node.source
  return typeof said === 'object' && said !== null && 'value' in said ? [String(said.value)] : []
}

function resolve(from: string, specifier: string): Import {
  const entry = engineEntries[specifier]
  if (entry?.startsWith('.')) return { kind: 'file', specifier, path: normalize(entry) }
  if (entry !== undefined) return { kind: 'package', specifier, name: '@quorate/engine' }
  if (specifier.startsWith('#')) {
    const [folder = '', ...rest] = specifier.split('/')
    const target = aliases[specifier] ?? aliases[`${folder}/*`]?.replace('*', rest.join('/'))
    return { kind: 'file', specifier, path: normalize(target ?? specifier) }
  }
  if (specifier.startsWith('.')) {
    // The pages of tests/e2e/fork are copied beside the app's own parts.
    const path = normalize(join(dirname(from), specifier)).replace(/^tests\/e2e\/fork\/(?=app\/_)/, '')
    return { kind: 'file', specifier, path }
  }
  if (isBuiltin(specifier)) return { kind: 'builtin', specifier }
  const words = specifier.split('/')
  return { kind: 'package', specifier, name: words.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') }
}

/** `process.env`, `globalThis.process.env` and `const { env } = process`. */
function isEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression')
    return nameOf(node.property) === 'env' && nameOf(node.object) === 'process'
  if (node.type !== 'VariableDeclarator' || nameOf(node.init) !== 'process') return false
  return [...walk(node.id)].some((part) => part.type === 'Property' && nameOf(part.key) === 'env')
}

function isProcess({ specifier }: Import): boolean {
  return /^(node:)?process$/.test(specifier)
}

/** The last name of an expression: `process` for `process` and `globalThis.process`. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  const node = value as Node
  if (node.type === 'MemberExpression') return nameOf(node.property)
  if (node.type === 'ChainExpression') return nameOf(node.expression)
  if (node.type === 'Literal') return String(node.value)
  return node.type === 'Identifier' ? String(node.name) : undefined
}
