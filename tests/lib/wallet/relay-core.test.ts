import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mendRelayer, mendVerify } from '#lib/wallet/relay-core.ts'

beforeEach(() => void vi.useFakeTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The patched parts of WalletConnect's relayer, opened. The relay confirms subscriptions under control of the test. */
async function openRelay() {
  let confirm = () => {}
  const world = {
    opens: 0,
    disconnects: 0,
    relayer: {
      connected: false,
      connectionAttemptInProgress: false,
      provider: { disconnect: async () => void world.disconnects++ },
      subscriber: {
        isClear: false,
        async stop() {
          world.relayer.subscriber.isClear = true
        },
        start: () => {
          expect(world.relayer.subscriber.isClear).toBe(true)
          return new Promise<void>((resolve) => {
            confirm = resolve
          })
        },
      },
      async transportOpen() {
        world.opens++
        await world.relayer.subscriber.start()
      },
    },
    confirm: () => confirm(),
  }
  mendRelayer(world.relayer)
  await world.relayer.transportOpen()
  return world
}

describe('the relay', () => {
  test('that does not confirm subscriptions within eight seconds gets a new connection', async () => {
    const world = await openRelay()
    await pass(7999)
    expect(world.disconnects).toBe(0)
    await pass(1)
    expect(world.disconnects).toBe(1)
  })

  test('that confirms them in time keeps its connection', async () => {
    const world = await openRelay()
    await pass(7999)
    world.confirm()
    await pass(60_000)
    expect(world.disconnects).toBe(0)
  })

  test('that closes its connections is retried after 1, 2, 4 seconds and at most 30, and at once after an answer', async () => {
    const world = await openRelay()
    const waits: number[] = []
    for (let closed = 0; closed < 7; closed++) {
      await pass(0)
      const [before, beganMs] = [world.opens, Date.now()]
      await world.relayer.transportOpen()
      while (world.opens === before) await pass(500)
      waits.push(Date.now() - beganMs)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    world.confirm()
    await pass(0)
    const before = world.opens
    await world.relayer.transportOpen()
    expect(world.opens).toBe(before + 1)
  })

  test('with a late confirmation on its old connection does not count as answering', async () => {
    const world = await openRelay()
    await pass(0)
    world.relayer.provider = { ...world.relayer.provider }
    world.confirm()
    await pass(0)
    await world.relayer.transportOpen()
    await pass(999)
    expect(world.opens).toBe(1)
    await pass(1)
    expect(world.opens).toBe(2)
  })

  test('that was connected by a request meanwhile is not opened again', async () => {
    const world = await openRelay()
    await pass(0)
    await world.relayer.transportOpen()
    world.relayer.connected = true
    await pass(1000)
    expect(world.opens).toBe(1)
  })
})

describe('the verify service', () => {
  /** A service that answers after this time. */
  function makeVerify(answersAfterMs: number) {
    const verify = {
      register: vi.fn(
        () => new Promise<string>((resolve) => setTimeout(resolve, answersAfterMs, 'attested')),
      ),
    }
    const register = verify.register
    mendVerify(verify as never)
    return { verify: verify as unknown as { register: (params: object) => Promise<string> }, register }
  }
  const waited = async (register: Promise<string>) => {
    const beganMs = Date.now()
    let value: string | undefined
    void register.then((reported) => {
      value = reported
    })
    await pass(0)
    while (value === undefined) await pass(100)
    return { value, ms: Date.now() - beganMs }
  }

  test('attests when it answers within two seconds', async () => {
    const { verify } = makeVerify(1900)
    expect(await waited(verify.register({}))).toEqual({ value: 'attested', ms: 1900 })
  })

  test('that is slower is waited for only once, until it answers again', async () => {
    const { verify } = makeVerify(3000)
    expect(await waited(verify.register({}))).toEqual({ value: '', ms: 2000 })
    expect(await waited(verify.register({}))).toEqual({ value: '', ms: 0 })
    await pass(3000)
    expect((await waited(verify.register({}))).ms).toBe(2000)
  })

  test('that is unreachable does not block what follows', async () => {
    const { verify, register } = makeVerify(1e9)
    await waited(verify.register({}))
    for (let turn = 0; turn < 3; turn++) expect((await waited(verify.register({}))).ms).toBe(0)
    expect(register).toHaveBeenCalledTimes(4)
  })
})
