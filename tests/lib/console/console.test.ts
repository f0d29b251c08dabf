import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodHelp, type ParamKind } from '#lib/console/methods.ts'
import { exampleOf, paramsOf, readParams, showParams } from '#lib/console/param-fields.ts'
import { snippets } from '#lib/console/snippets.ts'
import { methodFacts } from '#rpc-proxy'
import { methodSpec, methods } from '#rpc-proxy/testing.ts'
import type { Nodes } from '../../support/demo-nodes.ts'
import { startMadeUpNodes } from '../../support/made-up-nodes.ts'
import { says } from '../../support/replies.ts'

/** Those that a request is answered: subscriptions need a connection. */
const requestMethods = methods.filter((method) => !method.endsWith('subscribe'))
const exampleParamsOf = (method: string) => readParams(paramsOf(method), exampleOf(method))

describe('methods', () => {
  test('exactly the served ones are described', () => {
    expect(Object.keys(methodHelp).toSorted()).toEqual([...requestMethods].toSorted())
    expect(methodFacts().map(({ method }) => method)).toEqual(requestMethods)
  })

  test.each(requestMethods.filter((method) => !method.startsWith('eth_sendRawTransaction')))(
    'the gateway accepts the example of %s',
    (method) => {
      const typed = exampleParamsOf(method)
      expect(typed).not.toHaveProperty('fault')
      if ('params' in typed) expect(() => methodSpec(method).parse(typed.params)).not.toThrow()
    },
  )

  test('the example transaction cannot be sent by accident', () => {
    const refused = { at: 0, fault: 'This is required.' }
    expect(exampleParamsOf('eth_sendRawTransaction')).toEqual(refused)
  })
})

describe('params', () => {
  const param = (kind: ParamKind) => [{ name: 'x', kind, example: '' }]

  test.each([
    ['address', `0x${'aB'.repeat(20)}`, `0x${'aB'.repeat(20)}`],
    ['block', 'latest', 'latest'],
    ['block', ' 0x10 ', '0x10'],
    ['block', '17', '0x11'],
    ['block', '81,234,567', '0x4d78a87'],
    ['block', '81\u202f234\u202f567', '0x4d78a87'],
    ['quantity', '0', '0x0'],
    ['hash', `0x${'0f'.repeat(32)}`, `0x${'0f'.repeat(32)}`],
    ['data', '0x', '0x'],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['json', '{"a":[1]}', { a: [1] }],
  ] as const)('%s %s is sent as %j', (kind, typed, value) => {
    expect(readParams(param(kind), [typed])).toEqual({ params: [value] })
  })

  test.each([
    ['address', `0x${'ab'.repeat(19)}`, 'vitalik.eth'],
    ['block', 'newest'],
    ['hash', '0x1'],
    ['quantity', '-1'],
    ['data', '0xabc'],
    ['id', 'x'],
    ['json', '{a:1}', ''],
  ] as const)('what is no %s is refused at its field', (kind, ...texts) => {
    for (const typed of texts)
      expect(readParams(param(kind), [typed])).toMatchObject({ at: 0, fault: expect.any(String) })
  })

  test.each([
    [['', ''], []],
    [
      ['', '{}'],
      [null, {}],
    ],
    [['latest', ''], ['latest']],
  ])('an empty optional param is omitted at the end and null in between: %j is %j', (typed, params) => {
    const optional = { optional: true, example: '' } as const
    const help = (['block', 'json'] as const).map((kind) => ({ name: kind, kind, ...optional }))
    expect(readParams(help, typed)).toEqual({ params })
  })

  test.each(Object.keys(methodHelp))('the params of %s survive a link', (method) => {
    const help = paramsOf(method)
    const typed = exampleParamsOf(method)
    if ('params' in typed) expect(readParams(help, showParams(help, typed.params))).toEqual(typed)
    else expect(method).toMatch(/^eth_sendRawTransaction/)
  })
})

describe('copied code runs unchanged', () => {
  const run = promisify(execFile)
  const root = join(import.meta.dirname, '../../..')
  const folder = mkdtempSync(join(root, 'tests/.snippets-'))
  let nodes: Nodes
  // A quote, a dollar sign and a backslash need escaping in shells and templates.
  const call = { method: 'web3_sha3', params: ['it\'s $HOME `x` \\ "q"'] }

  beforeAll(async () => {
    nodes = await startMadeUpNodes({ web3_sha3: says('0xfeed') })
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await nodes.stop()
  })

  test.each(['curl', 'viem', 'ethers'] as const)('%s', async (name) => {
    const node = nodes.node('a')
    node.clearRequests()
    const text = snippets[name](node.url, call)
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, text)
    const { stdout } = await (name === 'curl' ? run('sh', ['-c', text]) : run(process.execPath, [file]))
    expect(stdout).toContain('0xfeed')
    const sent = node.requests().flatMap(({ calls }) => calls)
    expect(sent).toContainEqual(expect.objectContaining(call))
  })
})
