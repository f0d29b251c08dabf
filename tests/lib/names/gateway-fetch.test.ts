import { createServer } from 'node:net'
import { expect, test } from 'vitest'
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
  ['0.0.0.0'],
  ['10.1.2.3'],
  ['100.64.0.1'],
  ['100.100.100.200'],
  ['127.0.0.1'],
  ['168.63.129.16'],
  ['169.254.169.254'],
  ['172.16.0.1'],
  ['192.0.0.192'],
  ['192.0.2.1'],
  ['192.168.1.1'],
  ['198.18.0.1'],
  ['224.0.0.1'],
  ['240.0.0.1'],
  ['255.255.255.255'],
  ['::'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:8.8.8.8'],
  ['64:ff9b::7f00:1'],
  ['fc00::1'],
  ['fd00:ec2::254'],
  ['fe80::1'],
  ['fec0::1'],
  ['ff02::1'],
  ['2001:db8::1'],
  ['2001::1'],
  ['2002:7f00:1::1'],
  ['4000::1'],
  ['gateway.example'],
])('%s is no address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([['1.1.1.1'], ['104.18.0.1'], ['2606:4700::1111'], ['2a00:1450::1']])('%s is one', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['http://gateway.example/{data}'],
  ['ftp://gateway.example/{data}'],
  ['data:application/json,{"data":"0x"}'],
  ['file:///etc/passwd'],
  ['https://user:password@gateway.example/{data}'],
  ['https://127.0.0.1/{data}'],
  ['https://2130706433/{data}'],
  ['https://0x7f.1/{data}'],
  ['https://[::1]/{data}'],
  ['https://[::ffff:169.254.169.254]/{data}'],
  ['not a url'],
  ['{data}'],
])('a contract cannot have us ask %s', async (url) => {
  const looked: string[] = []
  const resolve = async (hostname: string) => {
    looked.push(hostname)
    return ['1.1.1.1']
  }
  await expect(fetchOf(url, { resolve })).rejects.toThrow('no gateway replied')
  expect(looked).toEqual([])
})

test.each([[['127.0.0.1']], [['1.1.1.1', '169.254.169.254']], [['::1']], [[]]])(
  'a name with the addresses %j is not connected to',
  async (addresses) => {
    const fetched = fetchOf('https://gateway.example/{data}', { resolve: async () => addresses })
    await expect(fetched).rejects.toThrow('no gateway replied')
  },
)

test('a name is looked up once, and that address is connected to by TLS: a second look-up may return another one', async () => {
  const hellos: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (hello) => {
      hellos.push(hello)
      socket.destroy()
    })
  })
  const port = await listen(server)
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  const options = {
    resolve: async () => answers.shift() ?? [],
    isPublic: (address: string) => address === '127.0.0.1',
  }
  await expect(fetchOf(`https://gateway.example:${port}/{data}`, options)).rejects.toThrow()
  expect(hellos).toHaveLength(1)
  // A TLS handshake that names the gateway, not its address.
  expect(hellos[0]?.[0]).toBe(22)
  expect(hellos[0]?.toString('latin1')).toContain('gateway.example')
  expect(answers).toHaveLength(1)
  server.close()
})

test('a look-up of a gateway’s name that is not answered ends with its time', async () => {
  const options = { resolve: () => new Promise<never>(() => {}), withinMs: 20 }
  await expect(fetchOf('https://gateway.example/{data}', options)).rejects.toThrow('timeout')
})
