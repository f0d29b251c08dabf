import { z } from 'zod'
import type { AnswerElsewhere, Cancel, Clock, FilterPeers } from '#rpc-proxy'
import { createQuota } from '../limits/quota.ts'
import type { Peers } from './peers.ts'

/** The process that has a filter says so again and again until it answers; one that is silent for so long has gone. */
const silenceMsMax = 500
const hereEveryMs = 150
/** An answer that has not been received by then is lost, and the next poll returns the same again. */
const receivedMsMax = 1_000
/** One that was received may still be lost on the way to the caller, in a batch that takes as long as this at most. */
const deliveredMsMax = 60_000
/** Questions at a time that this process asks: of one caller no more than it may have filters. */
const openLimits = { perCallerMax: 100, max: 1_000 }

const callerForm = z.object({ caller: z.string().nullable() })
const questionForm = z.object({ id: z.string(), question: z.unknown() })
const answerForm = z.object({ id: z.string(), answer: z.unknown() })
const stepForm = z.object({ id: z.string(), step: z.enum(['here', 'received', 'undelivered']) })
type Step = z.output<typeof stepForm>['step']
type Found = Awaited<ReturnType<FilterPeers['find']>>

/**
 * A filter stays at the process at which it was installed; the others ask there. So one process says what is new, in one order, and
 * nothing twice. A filter ends with its process, as with any node.
 */
export function shareFilters(peers: Peers, clock: Clock): FilterPeers {
  let answerOf: Parameters<FilterPeers['listen']>[0] = () => null
  /** What the steps of a question do, at the process that asked and at the one that answers. */
  const steps = new Map<string, Partial<Record<Step, () => void>>>()
  const waiting = new Map<string, (answer: unknown) => void>()
  const open = createQuota(openLimits)
  const say = (id: string, step: Step) => peers.send('filter-step', { id, step })

  async function answer(id: string, answering: Promise<AnswerElsewhere>, tell: () => void): Promise<void> {
    let cancel: Cancel = () => {}
    const here = () => {
      say(id, 'here')
      cancel = clock.after(hereEveryMs, here)
    }
    here()
    const { answer: value, onUndelivered } = await answering.finally(() => cancel())
    const undelivered = () => {
      cancel()
      steps.delete(id)
      onUndelivered()
      tell()
    }
    const received = () => {
      cancel()
      tell()
      cancel = clock.after(deliveredMsMax, () => steps.delete(id))
    }
    cancel = clock.after(receivedMsMax, undelivered)
    steps.set(id, { received, undelivered })
    peers.send('filter-answer', { id, answer: value })
  }

  peers.on('filter-question', (value) => {
    const { data } = questionForm.safeParse(value)
    let tell = () => {}
    const isKnown = new Promise<void>((resolve) => {
      tell = resolve
    })
    const answering = data === undefined ? null : answerOf(data.question, isKnown)
    // One that cannot be answered is silent.
    if (data !== undefined && answering !== null) answer(data.id, answering, tell).catch(tell)
  })
  peers.on('filter-step', (value) => {
    const { data } = stepForm.safeParse(value)
    if (data !== undefined) steps.get(data.id)?.[data.step]?.()
  })
  peers.on('filter-answer', (value) => {
    const { data } = answerForm.safeParse(value)
    if (data !== undefined) waiting.get(data.id)?.(data.answer)
  })

  function find(id: string, question: unknown, endMs: number): Promise<Found> {
    return new Promise((resolve) => {
      // Until it is known that the others were asked, nothing follows from their silence.
      let silence: 'absent' | 'away' = 'away'
      let isHere = false
      let cancel: Cancel = () => {}
      const end = (found: Found) => {
        cancel()
        lease?.end()
        steps.delete(id)
        waiting.delete(id)
        resolve(found)
      }
      const wait = () => {
        cancel()
        cancel = clock.after(Math.min(silenceMsMax, endMs - clock.now()), () => end(silence))
      }
      const here = () => {
        isHere = true
        silence = 'away'
        wait()
      }
      const caller = callerForm.safeParse(question).data?.caller ?? null
      const lease = open.take(1, caller, () => end('away'))
      if (lease === null) return resolve('away')
      wait()
      steps.set(id, { here })
      waiting.set(id, (value) => {
        say(id, 'received')
        end({ answer: value, onUndelivered: () => say(id, 'undelivered') })
      })
      void peers.trySend('filter-question', { id, question }).then((isSent) => {
        if (!isSent || isHere || !waiting.has(id)) return
        silence = 'absent'
        // What took long to be sent takes long to be answered.
        wait()
      })
    })
  }

  return {
    listen(next) {
      answerOf = next
    },
    async find(question, endMs) {
      if (!peers.isJoined()) return 'away'
      return find(crypto.randomUUID(), question, endMs)
    },
  }
}
