import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { metricTable } from '#lib/observe/metrics.ts'
import {
  callerFields,
  chainFields,
  limitFields,
  methodFields,
  nodeFields,
  rateFields,
  rootFields,
} from '#rpc-proxy/testing.ts'

/**
 * `npm run docs` writes the reference tables of settings, routes and metrics into their documents, from the code that holds them.
 * `tests/architecture/reference.test.ts` fails while they differ.
 */
const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Where the engine is a package, its declarations have the same comments. */
const configFields = existsSync(join(root, 'rpc-proxy'))
  ? 'rpc-proxy/config/fields.ts'
  : 'node_modules/@quorate/engine/dist/config/fields.d.ts'

/** The comment before each of these names. */
function commentsIn(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/\/\*\* ([^\n]+) \*\/\n +(?:readonly )?'?([\w-]+)'?:/g)
  const comments = new Map<string, string>()
  for (const [, comment = '', name = ''] of found) if (!comments.has(name)) comments.set(name, comment)
  return comments
}

interface Field {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown }
}

/** The default, by what a field makes of nothing. */
function defaultOf(field: Field): string {
  const { success, data } = field.safeParse(undefined)
  if (!success) return 'required'
  if (data === null) return 'none'
  return typeof data === 'object' || data === undefined ? '' : `${data}`
}

type Rows = readonly (readonly string[])[]

const tableOf = (head: string, rows: Rows) =>
  [
    head,
    head.replace(/[^|]+/g, '---'),
    ...rows.map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')),
  ].join('\n')

/** The comments are those after the declaration of this name. */
function settings(declared: string, fields: Readonly<Record<string, Field>>, prefix = ''): Rows {
  const text = read(configFields)
  const comments = commentsIn(text.slice(text.indexOf(`const ${declared}`)))
  return Object.entries(fields).map(([name, field]) => [
    `\`${prefix}${name}\``,
    defaultOf(field),
    comments.get(name) ?? '',
  ])
}

const settingsTable = (kind: string, rows: Rows) => tableOf(`| ${kind} | default | |`, rows)

function gatewaySettings(): Rows {
  const { callers, anonymous } = rootFields
  return [
    ...settings('limitFields', limitFields, 'limits.'),
    ...settings('rateFields', rateFields, 'rate.'),
    ...settings('methodFields', methodFields, 'methods.'),
    ...settings('rootFields', { callers, anonymous }),
  ]
}

function routes(): string {
  const [, text = ''] = read('lib/routes/gateway-views.ts').split('const views = {')
  const rows = [...commentsIn(text)].map(([name, comment]) => {
    const [, ofRoute = ''] = text.split(comment)
    const own = ofRoute.slice(0, ofRoute.search(/\/\*\*|satisfies/))
    const isForOperators = /operatorOnly\(|operator: (?!false)/.test(own)
    return [
      `${/changes: true/.test(own) ? '`POST` ' : ''}\`${name}\``,
      isForOperators ? 'operators' : 'everyone',
      comment,
    ]
  })
  return tableOf('| route under `/api/rpc` | for | |', rows)
}

const metrics = () =>
  tableOf(
    '| metric | kind | |',
    Object.entries(metricTable).map(([name, { kind, help }]) => [`\`${name}\``, kind, help]),
  )

const tables: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/configuration.md': {
    chain: () => settingsTable('chain', settings('chainFields', chainFields)),
    node: () => settingsTable('node', settings('nodeFields', nodeFields)),
    gateway: () => settingsTable('gateway', gatewaySettings()),
    caller: () => settingsTable('caller', settings('callerFields', callerFields)),
  },
  'docs/operate.md': { routes },
  'deploy/prometheus/metrics.md': { metrics },
}

/** Each document as it should be. */
export const documents: ReadonlyMap<string, string> = new Map(
  Object.entries(tables).map(([path, parts]) => [
    path,
    Object.entries(parts).reduce(
      (text, [name, table]) =>
        text.replace(
          new RegExp(`(<!-- npm run docs: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`),
          (_, start, end) => `${start}${table()}\n${end}`,
        ),
      read(path),
    ),
  ]),
)

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of documents) writeFileSync(join(root, path), text)
