import { expect, test } from 'vitest'
import { isOwn } from './support/layers.ts'
import { type Node, programOf, read, sources } from './support/sources.ts'

/** A word that the browser translates is replaced by an element. React goes on changing the text that it put there, which nobody sees. */
test('a text shares its element with nothing, or the browser’s translation loses it', () => {
  const found = sources
    .filter(isOwn)
    .filter(({ path }) => /^app\/.*\.tsx$/.test(path))
    .flatMap(({ path }) =>
      sharedTexts(programOf(path), false).map(
        (at) => `${path}:${read(path).slice(0, at).split('\n').length}`,
      ),
    )
  expect(found).toEqual([])
})

/** Where in the source each element begins that has a text and something else, outside of what is not translated. */
function sharedTexts(node: unknown, isUntranslated: boolean): readonly number[] {
  if (Array.isArray(node)) return node.flatMap((each) => sharedTexts(each, isUntranslated))
  if (typeof node !== 'object' || node === null) return []
  const own = node as Node
  const isElement = own.type === 'JSXElement'
  const isClosed = isUntranslated || (isElement && hasTranslateNo(own))
  const below = Object.values(own).flatMap((each) => sharedTexts(each, isClosed))
  if (isClosed || !(isElement || own.type === 'JSXFragment')) return below
  const children = (own['children'] as Node[]).filter((child) => !isLayout(child))
  return children.length > 1 && children.some(isText) ? [own['start'] as number, ...below] : below
}

function hasTranslateNo({ openingElement }: Node): boolean {
  return ((openingElement as Node)['attributes'] as Node[]).some(
    ({ name, value }) =>
      (name as Node | undefined)?.['name'] === 'translate' && (value as Node)?.['value'] === 'no',
  )
}

/** Blanks between lines, of which no text is made, and comments. */
function isLayout({ type, value, expression }: Node): boolean {
  if (type === 'JSXText') return /^\s*$/.test(value as string)
  return type === 'JSXExpressionContainer' && (expression as Node).type === 'JSXEmptyExpression'
}

/** What is sure to be a text: words, a template, one of the texts of lib/page/texts, and either of two where one is. */
function isText(node: Node): boolean {
  const { type } = node
  if (type === 'JSXText' || type === 'TemplateLiteral') return true
  if (type === 'JSXExpressionContainer') return isText(node['expression'] as Node)
  if (type === 'Literal') return typeof node['value'] === 'string' && (node['value'] as string).trim() !== ''
  if (type === 'ConditionalExpression')
    return isText(node['consequent'] as Node) || isText(node['alternate'] as Node)
  if (type === 'LogicalExpression') return isText(node['right'] as Node)
  if (type === 'CallExpression') return isText(node['callee'] as Node)
  // A list of texts becomes one of elements.
  if (type === 'MemberExpression')
    return (node['property'] as Node)['name'] !== 'map' && isText(node['object'] as Node)
  return type === 'Identifier' && /Texts$/.test(node['name'] as string)
}
