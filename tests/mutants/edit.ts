import { parseSync } from 'oxc-parser'

/**
 * One change of one node of the syntax tree. Every `mentions` is a name (identifier, property or method) that stands in the
 * node, so that a change of its wording leaves the mutant alone.
 */
export type Edit =
  /** The function does nothing but return this. */
  | { readonly kind: 'return'; readonly value: string }
  /** Removes the innermost statement that mentions the name. */
  | { readonly kind: 'drop-statement'; readonly mentions: string }
  /** Removes an operand of `&&`, `||` or `??`. */
  | { readonly kind: 'drop-operand'; readonly mentions: string }
  /** Replaces the condition of an `if`, `while` or `?:`. */
  | { readonly kind: 'condition'; readonly mentions: string; readonly value: string }
  /** Replaces an operator: `>=` by `>`. */
  | { readonly kind: 'operator'; readonly mentions: string; readonly from: string; readonly to: string }
  /** Replaces a call of this function or method. */
  | { readonly kind: 'call'; readonly mentions: string; readonly value: string }
  /** Replaces the value of a key of an object literal, or of a property of a class. */
  | { readonly kind: 'property'; readonly key: string; readonly value: string }
  /** Replaces an identifier, or the name of a member. */
  | { readonly kind: 'name'; readonly from: string; readonly to: string }
  /** Replaces a number, a string, or true or false. */
  | { readonly kind: 'literal'; readonly from: number | string | boolean; readonly to: string }

export interface Place {
  /** The function, method (`Class.method`) or constant that the node stands in; nested names are joined by a dot. */
  readonly in: string
  readonly edit: Edit
  /** Which of several fitting nodes, from 0, in the order of the source. Without it there must be one. */
  readonly nth?: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The source with the one change. Throws where the place is missing, where several nodes fit and `nth` does not choose, and where
 * the edit brings in a name that the source does not know: whatever it does, a suite would only notice that it crashes.
 */
export function applyEdit(source: string, { in: path, edit, nth }: Place): string {
  const program = parse(source)
  const scopes = findScopes(program, path.split('.'))
  if (scopes.length !== 1) throw new Error(`${scopes.length} places are called ${path}`)
  const fits = findFits(scopes[0] as Node, edit)
  const fit = nth === undefined && fits.length === 1 ? fits[0] : fits[nth ?? Number.NaN]
  if (fit === undefined) throw new Error(`${fits.length} nodes of ${path} fit ${JSON.stringify(edit)}`)
  const { start, end, text } = fit
  const edited = `${source.slice(0, start)}${text}${source.slice(end)}`
  const known = referencesOf(program)
  const unknown = [...referencesOf(parse(edited))].filter((name) => !known.has(name) && !(name in globalThis))
  if (unknown.length > 0) throw new Error(`the edit of ${path} brings in ${unknown.join(', ')}`)
  return edited
}

function parse(source: string): Node {
  const { program, errors } = parseSync('source.ts', source)
  if (errors.length > 0) throw new Error(`the source does not parse: ${errors[0]?.message}`)
  return program as unknown as Node
}

/** Identifiers that are no names of members or keys. */
function referencesOf(program: Node): ReadonlySet<string> {
  const nodes = descendants(program)
  const labels = new Set(nodes.flatMap(({ computed, property, key }) => (computed ? [] : [property, key])))
  return new Set(nodes.filter((node) => !labels.has(node)).flatMap((node) => nameOf(node) ?? []))
}

type Fit = Span & { readonly text: string }

function findFits(scope: Node, edit: Edit): readonly Fit[] {
  const nodes = descendants(scope)
  switch (edit.kind) {
    case 'return':
      return [returnOnly(scope, edit.value)]
    case 'drop-statement':
      return innermost(nodes.filter((node) => isStatement(node) && mentions(node, edit.mentions))).map(
        (node) => ({ ...blockRangeOf(node), text: ';' }),
      )
    case 'drop-operand':
      return innermost(
        nodes.filter((node) => node.type === 'LogicalExpression' && mentions(node, edit.mentions)),
      ).flatMap((node) => droppedOperand(node, edit.mentions))
    case 'condition':
      return nodes
        .flatMap(({ test }) => (isNode(test) ? [test] : []))
        .filter((test) => mentions(test, edit.mentions))
        .map((test) => ({ ...blockRangeOf(test), text: edit.value }))
    case 'operator':
      return innermost(nodes.filter((node) => node.operator === edit.from && mentions(node, edit.mentions)))
        .filter(({ left, right }) => isNode(left) && isNode(right))
        .map(({ left, right }) => ({
          start: (left as Node).end,
          end: (right as Node).start,
          text: ` ${edit.to} `,
        }))
    case 'call':
      return nodes
        .filter((node) => node.type === 'CallExpression' && calleeName(node) === edit.mentions)
        .map((node) => ({ ...blockRangeOf(node), text: edit.value }))
    case 'property':
      return nodes.flatMap((node) => changedProperty(node, edit))
    case 'name':
      return nodes
        .filter((node) => nameOf(node) === edit.from)
        .map((node) => ({ ...blockRangeOf(node), text: edit.to }))
    case 'literal':
      return nodes
        .filter((node) => node.type === 'Literal' && node.value === edit.from)
        .map((node) => ({ ...blockRangeOf(node), text: edit.to }))
  }
}

/** Every node that carries the last name of the path below nodes that carry the names before it. */
function findScopes(root: Node, path: readonly string[]): readonly Node[] {
  const [name, ...rest] = path
  const found = outermost(descendants(root).filter((node) => declaredName(node) === name))
  return rest.length === 0 ? found : found.flatMap((node) => findScopes(node, rest))
}

/** The name that a function, class, method, property or constant is declared with; the id of a row of a table. */
function declaredName(node: Node): string | null {
  if (node.type === 'ObjectExpression') return idOf(node)
  const isDeclaration =
    node.type === 'FunctionDeclaration' ||
    node.type === 'ClassDeclaration' ||
    node.type === 'VariableDeclarator'
  if (isDeclaration) return nameOf(node.id)
  const isMember =
    node.type === 'MethodDefinition' || node.type === 'PropertyDefinition' || node.type === 'Property'
  return isMember ? (nameOf(node.key) ?? literalOf(node.key)) : null
}

function idOf({ properties }: Node): string | null {
  const id = (properties as Node[]).find((property) => nameOf(property.key) === 'id')
  return id === undefined ? null : literalOf(id.value)
}

function returnOnly(scope: Node, value: string): Fit {
  const body = descendants(scope).find(
    ({ type }) =>
      type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression',
  )?.body
  if (!isNode(body)) throw new Error('what returns must be a function')
  return {
    ...blockRangeOf(body),
    text: body.type === 'BlockStatement' ? `{ return ${value} }` : `(${value})`,
  }
}

function droppedOperand(node: Node, name: string): readonly Fit[] {
  if (node.type !== 'LogicalExpression') return []
  const left = node.left as Node
  const right = node.right as Node
  // A chain of one operator is a tree: only its leaves are operands.
  if (mentions(left, name) && !isChain(left, node)) return [{ start: left.start, end: right.start, text: '' }]
  return mentions(right, name) ? [{ start: left.end, end: right.end, text: '' }] : []
}

function isChain(left: Node, node: Node): boolean {
  return left.type === 'LogicalExpression' && left.operator === node.operator
}

function changedProperty(node: Node, { key, value }: Extract<Edit, { kind: 'property' }>): readonly Fit[] {
  if (node.type !== 'Property' && node.type !== 'PropertyDefinition') return []
  if ((nameOf(node.key) ?? literalOf(node.key)) !== key || !isNode(node.value)) return []
  return [{ ...blockRangeOf(node), text: `${node.computed ? `[${key}]` : JSON.stringify(key)}: ${value}` }]
}

function isStatement({ type }: Node): boolean {
  return type.endsWith('Statement') && type !== 'BlockStatement'
}

function calleeName({ callee }: Node): string | null {
  if (!isNode(callee)) return null
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee)
}

function mentions(node: Node, name: string): boolean {
  return descendants(node).some((inner) => nameOf(inner) === name)
}

function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'PrivateIdentifier') return `#${node.name}`
  return node.type === 'Identifier' ? (node.name as string) : null
}

function literalOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Literal' ? String(node.value) : null
}

function innermost(nodes: readonly Node[]): readonly Node[] {
  return nodes.filter((node) => !nodes.some((other) => other !== node && contains(node, other)))
}

function outermost(nodes: readonly Node[]): readonly Node[] {
  return nodes.filter((node) => !nodes.some((other) => other !== node && contains(other, node)))
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

function descendants(node: Node): readonly Node[] {
  return [node, ...Object.values(node).flatMap((child) => [child].flat().filter(isNode).flatMap(descendants))]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function blockRangeOf({ start, end }: Span): Span {
  return { start, end }
}
