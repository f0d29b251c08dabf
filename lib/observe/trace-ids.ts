import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

/** Ids of spans: random ones, but where the next is given. Spans are begun one at a time, so the next is the one that was meant. */
export interface Ids {
  readonly generator: IdGenerator
  readonly nextTrace: (traceId: string) => void
  readonly nextSpan: (spanId: string) => void
}

export function createIds(): Ids {
  const random = new RandomIdGenerator()
  let traceId: string | null = null
  let spanId: string | null = null
  return {
    generator: {
      generateTraceId() {
        const given = traceId ?? random.generateTraceId()
        traceId = null
        return given
      },
      generateSpanId() {
        const given = spanId ?? random.generateSpanId()
        spanId = null
        return given
      },
    },
    nextTrace(given) {
      traceId = given
    },
    nextSpan(given) {
      spanId = given
    },
  }
}
