import type { Series } from '#rpc-proxy'
import { prefix } from '../public-names.ts'

/** A counter with one label, for the metrics page. */
export class Counter<Label extends string> {
  readonly #name: string
  readonly #label: string
  readonly #counts: Map<Label, number>

  /** The metric is `<prefix>_<name>`. Labels in `from` are reported as 0 before they are counted. */
  constructor(name: string, label: string, from: readonly Label[] = []) {
    this.#name = `${prefix}_${name}`
    this.#label = label
    this.#counts = new Map(from.map((each) => [each, 0]))
  }

  add(label: Label): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1)
  }

  series(): Series<number>[] {
    return [...this.#counts].map(([label, value]) => ({
      name: this.#name,
      labels: { [this.#label]: label },
      value,
    }))
  }
}
