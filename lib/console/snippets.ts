import type { ReadCall } from '../page/reading.ts'

/** Code that makes the same call outside of this page. */
export const snippets = {
  curl: (url: string, call: ReadCall): string =>
    `curl -s ${quoted(url)} -H 'content-type: application/json' -d ${quoted(bodyOf(call))}`,
  viem: (url: string, { method, params }: ReadCall): string =>
    [
      "import { createPublicClient, http } from 'viem'",
      '',
      `const client = createPublicClient({ transport: http(${JSON.stringify(url)}) })`,
      `const result = await client.request(${JSON.stringify({ method, params }, null, 2)})`,
      'console.log(result)',
    ].join('\n'),
  ethers: (url: string, { method, params }: ReadCall): string =>
    [
      "import { JsonRpcProvider } from 'ethers'",
      '',
      `const provider = new JsonRpcProvider(${JSON.stringify(url)})`,
      `const result = await provider.send(${JSON.stringify(method)}, ${JSON.stringify(params, null, 2)})`,
      'console.log(result)',
      'provider.destroy()',
    ].join('\n'),
} as const

export type SnippetName = keyof typeof snippets

export function bodyOf({ method, params }: ReadCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Quotes any text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
