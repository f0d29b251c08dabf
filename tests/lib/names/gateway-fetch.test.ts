import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createGatewayFetch, type GatewayFetchOptions, isPublicAddress } from '#lib/names/gateway-fetch.ts'
import { listen } from '../../support/listen.ts'

const sender = `0x${'1'.repeat(40)}`
const fetchOf = (
  url: string,
  { withinMs = 60_000, ...options }: GatewayFetchOptions & { readonly withinMs?: number } = {},
) =>
  createGatewayFetch(options)({
    urls: [url],
    sender,
    data: '0x12',
    signal: AbortSignal.timeout(withinMs),
    take: () => true,
  })

test.each([
  ['of this machine', '0.0.0.0', '127.0.0.1', '::', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'],
  ['of a private network', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fc00::1', 'fec0::1'],
  ['of one link', '169.254.169.254', 'fe80::1'],
  ['of a cloud', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  ['of documents and tests', '192.0.2.1', '198.18.0.1', '2001:db8::1'],
  ['of several machines', '224.0.0.1', '255.255.255.255', 'ff02::1'],
  ['of a tunnel', '::ffff:8.8.8.8', '2001::1', '2002:7f00:1::1'],
  ['of nobody yet', '240.0.0.1', '4000::1', 'gateway.example'],
])('an address %s is none of the public internet', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

test('the address of a public server is one', () => {
  const addresses = ['1.1.1.1', '104.18.0.1', '2606:4700::1111', '2a00:1450::1']
  expect(addresses.filter(isPublicAddress)).toEqual(addresses)
})

test.each([
  ['without TLS', 'http://gateway.example/{data}', 'ftp://gateway.example/{data}', 'file:///etc/passwd'],
  ['in the URL itself', 'data:application/json,{"data":"0x"}'],
  ['with a password', 'https://user:password@gateway.example/{data}'],
  ['at an address', 'https://127.0.0.1/{data}', 'https://2130706433/{data}', 'https://0x7f.1/{data}'],
  ['at one of IPv6', 'https://[::1]/{data}', 'https://[::ffff:169.254.169.254]/{data}'],
  ['that is none', 'not a url', '{data}'],
])('a contract cannot have us ask a gateway %s', async (_, ...urls) => {
  const resolve = vi.fn(async () => ['1.1.1.1'])
  for (const url of urls) await expect(fetchOf(url, { resolve }), url).rejects.toThrow('no gateway replied')
  expect(resolve).not.toHaveBeenCalled()
})

/** What a server on loopback is sent while a gateway of a name with these addresses is asked, each look-up with the next of them. */
async function sentWhileAsked(answers: string[][], isPublic?: GatewayFetchOptions['isPublic']) {
  const hellos: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (hello) => {
      hellos.push(hello)
      socket.destroy()
    })
  })
  const port = await listen(server)
  const resolve = async () => answers.shift() ?? []
  const options = { resolve, ...(isPublic && { isPublic }) }
  await expect(fetchOf(`https://gateway.example:${port}/{data}`, options)).rejects.toThrow(
    'no gateway replied',
  )
  server.close()
  return hellos
}
const isLoopback = (address: string) => address === '127.0.0.1'

test.each([
  [['127.0.0.1'], undefined],
  [['127.0.0.1', '169.254.169.254'], isLoopback],
  [['169.254.169.254', '127.0.0.1'], isLoopback],
  [[], isLoopback],
])('a name with the addresses %j is not connected to', async (addresses, isPublic) => {
  expect(await sentWhileAsked([addresses], isPublic)).toEqual([])
})

test('a name is looked up once, and that address is connected to by TLS: a second look-up may return another one', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  const [hello, ...others] = await sentWhileAsked(answers, isLoopback)
  // A TLS handshake that names the gateway, not its address.
  expect(hello?.[0]).toBe(22)
  expect(hello?.toString('latin1')).toContain('gateway.example')
  expect([others, answers]).toEqual([[], [['169.254.169.254']]])
})

test('a look-up of a gateway’s name that is not answered ends with its time', async () => {
  const options = { resolve: () => new Promise<never>(() => {}), withinMs: 20 }
  await expect(fetchOf('https://gateway.example/{data}', options)).rejects.toThrow('timeout')
})
