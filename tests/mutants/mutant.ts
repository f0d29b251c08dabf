/** One rule of the engine, broken on purpose. */
export interface Mutant {
  /** What the engine then does wrong. */
  readonly name: string
  /** Below rpc-proxy/. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The suite that should notice, the fastest that does: `sim`, `model`, or a test file below tests/. */
  readonly by: string
  /** One of the eight breaks that the simulation must catch. */
  readonly isShown?: true
}
