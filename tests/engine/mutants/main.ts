import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

interface Mutant {
  readonly start: number
  readonly end: number
  readonly text: string
}

const swapped = new Map([
  ...[
    ['<', '<='],
    ['>', '>='],
    ['===', '!=='],
    ['+', '-'],
    ['&&', '||'],
    ['every', 'some'],
    ['min', 'max'],
  ].flatMap(([one = '', other = '']): [string, string][] => [
    [one, other],
    [other, one],
  ]),
  ['??', '&&'] as const,
])

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value

function* mutantsIn(code: string, node: SyntaxNode): Generator<Mutant> {
  const { type, start, end, operator, left, right, test, property, argument, value } = node
  const other = swapped.get(String(isNode(property) ? property.name : operator))
  if (other !== undefined && isNode(property)) yield { start: property.start, end: property.end, text: other }
  if (other !== undefined && isNode(left) && isNode(right)) {
    const text = code.slice(left.end, right.start).replace(String(operator), other)
    yield { start: left.end, end: right.start, text }
  }
  if (isNode(test)) for (const text of ['true', 'false']) yield { start: test.start, end: test.end, text }
  if (operator === '!' && isNode(argument)) yield { start, end: argument.start, text: '' }
  if (type === 'Literal' && typeof value === 'boolean') yield { start, end, text: String(!value) }
  if (type === 'ExpressionStatement') yield { start, end, text: ';' }
  for (const each of Object.values(node).flat())
    if (isNode(each) && !each.type.startsWith('TSType')) yield* mutantsIn(code, each)
}

/** Whether a suite is red with this code in a file. */
function isNoticed(path: string, code: string): boolean {
  const env = { ...process.env, MUTANT_FILE: path, MUTANT_CODE: code }
  return spawnSync('vitest', ['run', '--config', config], { env, stdio: 'ignore' }).status !== 0
}

// `npm run mutants [-- files]` breaks the deciding folders one operator, condition or statement at a time.
const config = join(import.meta.dirname, 'vitest.config.ts')
const given = process.argv.slice(2)
const files = given.length > 0 ? given : globSync('rpc-proxy/{quorum,policy,heads,round}/**/*.ts')
if (isNoticed('', '')) throw new Error('a suite is red before anything is broken')
for (const file of files) {
  const path = join(process.cwd(), file)
  const code = readFileSync(path, 'utf8')
  const program = parseSync(file, code).program as unknown as SyntaxNode
  for (const { start, end, text } of mutantsIn(code, program)) {
    if (isNoticed(path, code.slice(0, start) + text + code.slice(end))) continue
    process.exitCode = 1
    const line = code.slice(0, start).split('\n').length
    console.log(`${file}:${line}: no suite notices \`${text}\` for \`${code.slice(start, end)}\``)
  }
}
