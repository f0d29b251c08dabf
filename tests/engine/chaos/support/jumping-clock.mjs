/** Loaded before a host by `--import`: on each SIGUSR2 the system clock jumps, half a day ahead and then more than that back. */
const jumpsMs = [12 * 3_600_000, -13 * 3_600_000]
const RealDate = Date
let offsetMs = 0
let jumps = 0
/** The engine compares its clocks every 10 ms: a call that begins before is in flight at the jump, and may be past its deadline. */
const noticedMs = 20
process.on('SIGUSR2', () => {
  offsetMs += jumpsMs[jumps++ % jumpsMs.length] ?? 0
  setTimeout(() => process.stderr.write('the clock has jumped\n'), noticedMs)
})

class JumpingDate extends RealDate {
  /** @param {[]} given */
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offsetMs)
    else super(...given)
  }
  static now() {
    return RealDate.now() + offsetMs
  }
}
globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (JumpingDate))
