import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

/** Random span ids, unless the next one is given. Spans are started one at a time, so it goes to the intended span. */
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
