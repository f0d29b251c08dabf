import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mendRelayer, mendVerify } from '#lib/wallet/relay-core.ts'

beforeEach(() => void vi.useFakeTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The patched parts of WalletConnect's relayer, opened. The relay confirms subscriptions under control of the test. */
async function openRelay() {
  let confirm = () => {}
  const [opened, disconnect] = [vi.fn(), vi.fn(async () => {})]
  const relayer = {
    connected: false,
    connectionAttemptInProgress: false,
    provider: { disconnect },
    subscriber: {
      isClear: false,
      async stop() {
        relayer.subscriber.isClear = true
      },
      start() {
        expect(relayer.subscriber.isClear).toBe(true)
        return new Promise<void>((resolve) => (confirm = resolve))
      },
    },
    async transportOpen() {
      opened()
      await relayer.subscriber.start()
    },
  }
  mendRelayer(relayer)
  await relayer.transportOpen()
  return { relayer, opened, disconnect, confirm: () => confirm() }
}

describe('the relay', () => {
  test('that does not confirm subscriptions within eight seconds gets a new connection', async () => {
    const { disconnect } = await openRelay()
    await pass(7999)
    expect(disconnect).not.toHaveBeenCalled()
    await pass(1)
    expect(disconnect).toHaveBeenCalledOnce()
  })

  test('that confirms them in time keeps its connection', async () => {
    const { disconnect, confirm } = await openRelay()
    await pass(7999)
    confirm()
    await pass(60_000)
    expect(disconnect).not.toHaveBeenCalled()
  })

  test('that closes its connections is retried after 1, 2, 4 seconds and at most 30, and at once after an answer', async () => {
    const { relayer, opened, confirm } = await openRelay()
    for (const [place, waitS] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await pass(0)
      await relayer.transportOpen()
      await pass(waitS * 1000 - 1)
      expect(opened).toHaveBeenCalledTimes(1 + place)
      await pass(1)
      expect(opened).toHaveBeenCalledTimes(2 + place)
    }
    confirm()
    await pass(0)
    await relayer.transportOpen()
    expect(opened).toHaveBeenCalledTimes(9)
  })

  test('with a late confirmation on its old connection does not count as answering', async () => {
    const { relayer, opened, confirm } = await openRelay()
    await pass(0)
    relayer.provider = { ...relayer.provider }
    confirm()
    await pass(0)
    await relayer.transportOpen()
    await pass(999)
    expect(opened).toHaveBeenCalledOnce()
    await pass(1)
    expect(opened).toHaveBeenCalledTimes(2)
  })

  test('that was connected by a request meanwhile is not opened again', async () => {
    const { relayer, opened } = await openRelay()
    await pass(0)
    await relayer.transportOpen()
    relayer.connected = true
    await pass(1000)
    expect(opened).toHaveBeenCalledOnce()
  })
})

describe('the verify service', () => {
  /** A service that answers after this time, and how to ask it: what it says, and after how long. */
  function makeVerify(answersAfterMs: number) {
    const register = vi.fn(
      (_: object) => new Promise<string>((resolve) => setTimeout(resolve, answersAfterMs, 'attested')),
    )
    const verify = { register }
    mendVerify(verify as never)
    const attest = async () => {
      const beganMs = Date.now()
      const heard = vi.fn()
      void verify.register({}).then(heard)
      await pass(0)
      while (heard.mock.calls.length === 0) await pass(100)
      return { value: heard.mock.calls[0]?.[0], ms: Date.now() - beganMs }
    }
    return { attest, register }
  }

  test('attests when it answers within two seconds', async () => {
    expect(await makeVerify(1900).attest()).toEqual({ value: 'attested', ms: 1900 })
  })

  test('that is slower is waited for only once, until it answers again', async () => {
    const { attest } = makeVerify(3000)
    expect(await attest()).toEqual({ value: '', ms: 2000 })
    expect(await attest()).toEqual({ value: '', ms: 0 })
    await pass(3000)
    expect(await attest()).toMatchObject({ ms: 2000 })
  })

  test('that is unreachable does not block what follows', async () => {
    const { attest, register } = makeVerify(1e9)
    await attest()
    for (let turn = 0; turn < 3; turn++) expect(await attest()).toMatchObject({ ms: 0 })
    expect(register).toHaveBeenCalledTimes(4)
  })
})
