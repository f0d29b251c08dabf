import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

/** Random ids, unless the next one is given. Spans are started one at a time, so it goes to the intended span. */
export class SpanIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  nextTrace: string | null = null
  nextSpan: string | null = null

  generateTraceId(): string {
    const given = this.nextTrace ?? this.#random.generateTraceId()
    this.nextTrace = null
    return given
  }

  generateSpanId(): string {
    const given = this.nextSpan ?? this.#random.generateSpanId()
    this.nextSpan = null
    return given
  }
}
