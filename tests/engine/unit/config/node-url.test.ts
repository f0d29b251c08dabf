// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration itself uses the syntax ${NAME}.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from '../../../../rpc-proxy/index.ts'

/** Where the node is asked and with which authorization, or the faults of the configuration. */
function asked(url: string, env: Readonly<Record<string, string>>) {
  try {
    const [node] =
      parseConfig({ chains: [{ id: 137, nodes: [{ name: 'a', url }] }] }, env).chains[0]?.nodes ?? []
    return { url: new URL(node?.url ?? ''), authorization: node?.headers.authorization }
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}
const basic = (text: string) => `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`

test.each(['8545/s3cret', '8545?s3cret', '8545#s3cret', '8545\\s3cret', 's3@cret', '50%', 'a\tb', 'p:q'])(
  'a password of %j is sent to the node that was meant, whole',
  (P) => {
    expect(asked('https://user:${P}@rpc.example/v1', { P })).toMatchObject({
      url: { href: 'https://rpc.example/v1' },
      authorization: basic(`user:${P}`),
    })
  },
)

test('a password that is percent-encoded already is not encoded again', () => {
  expect(asked('https://user:${P}@rpc.example', { P: 's3%2Fcret' })).toMatchObject({
    authorization: basic('user:s3/cret'),
  })
})

test('a value in the place of the host, the port or the whole url decides where calls go', () => {
  for (const [url, env] of [
    ['${URL}', { URL: 'https://rpc.example:8545/key' }],
    ['${URL}/${KEY}', { URL: 'https://rpc.example:8545', KEY: 'key' }],
    ['https://${HOST}:${PORT}/${KEY}', { HOST: 'rpc.example', PORT: '8545', KEY: 'key' }],
    ['https://rpc.${DOMAIN}/${KEY}', { DOMAIN: 'example:8545', KEY: 'key' }],
    ['${SCHEME}://rpc.example:8545/${KEY}', { SCHEME: 'https', KEY: 'key' }],
  ] as const)
    expect(asked(url, env)).toMatchObject({ url: { href: 'https://rpc.example:8545/key' } })
})

test('a value that would change the host from another place is refused, and not repeated', () => {
  // One slash is enough for WHATWG’s parser, which takes what follows for the host.
  expect(asked('https:/${KEY}', { KEY: 's3cret.example' })).toEqual([
    'chain 137, node "a": a variable of the environment changes the host of the url; percent-encode its value',
  ])
})

describe('no value outside of the host’s place decides where calls go', () => {
  const value = fc.oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'/\\?#@:[]%. \t\n08ae$') }),
    fc.webUrl(),
  )
  test.each([
    'https://${A}@rpc.example:8545/v1',
    'https://${A}:${B}@rpc.example:8545/v1',
    'https://user:${A}@rpc.example:8545/${B}',
    'https://rpc.example:8545/${A}',
    'https://rpc.example:8545?${A}=${B}',
    'https://rpc.example:8545/${A}@${B}/',
    'https://${HOST}/${A}:${B}',
    '${URL}/${A}?key=${B}',
  ])('%s', (template) => {
    fc.assert(
      fc.property(value, value, (A, B) => {
        const outcome = asked(template, { A, B, HOST: 'rpc.example:8545', URL: 'https://rpc.example:8545' })
        if (!('url' in outcome)) {
          for (const fault of outcome)
            expect(fault).toMatch(/: (?:invalid url; must be|a variable of the environment changes)/)
        } else expect(outcome.url.origin).toBe('https://rpc.example:8545')
      }),
      { numRuns: 500 },
    )
  })
})
