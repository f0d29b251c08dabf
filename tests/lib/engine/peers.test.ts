import { expect, test } from 'vitest'
import { shareCertificates, shareCordons } from '#lib/engine/peers.ts'
import { type ReplicaReport, shareReports } from '#lib/engine/replicas.ts'
import { peersCircle } from '../../support/peers-circle.ts'

const gatewayWith = (names: readonly string[]) => {
  const cordoned = new Set<string>()
  return {
    cordoned,
    cordon(_chainId: number, name: string, isCordoned: boolean) {
      if (!names.includes(name)) return false
      if (isCordoned) cordoned.add(name)
      else cordoned.delete(name)
      return true
    },
  }
}

test('a node that is cordoned at one process is cordoned at all, and back at all', () => {
  const peers = peersCircle(3)
  const gateways = peers.map(() => gatewayWith(['a', 'b']))
  let ms = 0
  const cordons = peers.map((each, at) => shareCordons(gateways[at]!, each, () => ++ms))
  expect(cordons[0]?.(1, 'a', true, 'Ana')).toBe(true)
  expect(gateways.map(({ cordoned }) => [...cordoned])).toEqual([['a'], ['a'], ['a']])
  expect(cordons[2]?.(1, 'a', false)).toBe(true)
  expect(gateways.map(({ cordoned }) => [...cordoned])).toEqual([[], [], []])
  expect(cordons[1]?.(1, 'nobody', true)).toBe(false)
})

test('a process that comes later learns what was cordoned, and an old word does not undo a newer one', () => {
  const peers = peersCircle(2)
  const [early, late] = [gatewayWith(['a', 'b']), gatewayWith(['a', 'b'])]
  let ms = 0
  const cordon = shareCordons(early, peers[0]!, () => ++ms)
  cordon(1, 'a', true)
  cordon(1, 'b', true)
  cordon(1, 'b', false)
  shareCordons(late, peers[1]!, () => ++ms)
  peers[0]?.join()
  expect([...late.cordoned]).toEqual(['a'])
  // The order in which Redis delivers is not believed either.
  peers[0]!.send('cordons', [{ chainId: 1, node: 'a', isCordoned: false, by: null, atMs: 0.5 }])
  peers[0]!.send('cordons', 'nonsense')
  expect([...late.cordoned]).toEqual(['a'])
})

test('an uncordoned node is in use in all processes, even if the clock of the cordoning process is ahead', () => {
  const [ahead, other] = peersCircle(2)
  const gateways = [gatewayWith(['a']), gatewayWith(['a'])] as const
  const cordon = shareCordons(gateways[0], ahead!, () => 3000)
  const uncordon = shareCordons(gateways[1], other!, () => 1000)
  cordon(1, 'a', true)
  uncordon(1, 'a', false)
  expect(gateways.map(({ cordoned }) => [...cordoned])).toEqual([[], []])
  ahead?.join()
  expect(gateways.map(({ cordoned }) => [...cordoned])).toEqual([[], []])
})

test('any process finds the certificate of an answer that another one gave', async () => {
  const peers = peersCircle(3)
  const finders = peers.map((each, at) =>
    shareCertificates((id) => (id === `answer-${at}` ? ({ id, method: 'eth_call' } as never) : null), each),
  )
  expect(await finders[0]?.('answer-2')).toEqual({ id: 'answer-2', method: 'eth_call' })
  expect(await finders[1]?.('answer-9')).toBe(null)
})

test('a path of kilobytes in place of an id is not told to every process', async () => {
  const [one, two] = peersCircle(2)
  const heard: unknown[] = []
  const find = shareCertificates(() => null, one!)
  two?.on('certificate-wanted', (value) => heard.push(value))
  expect(await find('x'.repeat(65))).toBe(null)
  await find('5welfp6n-b1')
  expect(heard).toEqual([{ id: '5welfp6n-b1' }])
})

test('each process knows how all are, itself first, whichever is asked', async () => {
  const report = (replica: string): ReplicaReport => ({
    ...{ replica, isJoined: true, startedMs: 1, draining: false, requests: 2, calls: 3 },
    chains: [{ chainId: 1, status: 'ok', head: 1000 }],
  })
  const names = ['replica-10', 'replica-2', 'replica-1']
  const askers = peersCircle(3).map((peers, at) => shareReports(() => report(names[at] ?? ''), peers))
  const seen = await Promise.all(askers.map((ask) => ask()))
  expect(seen.map((reports) => reports.map(({ replica }) => replica))).toEqual([
    ['replica-10', 'replica-1', 'replica-2'],
    ['replica-2', 'replica-1', 'replica-10'],
    ['replica-1', 'replica-2', 'replica-10'],
  ])
  expect(seen[0]?.[1]).toEqual(report('replica-1'))
})
