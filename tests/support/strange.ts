import fc from 'fast-check'

/**
 * Any text, lone surrogates and control characters included; mostly ASCII, where the grammar of JSON lives. (fast-check's
 * own `unit: 'binary'` takes seconds to set itself up, in every test file anew.)
 */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  const unit = fc.oneof({ weight: 4, arbitrary: fc.nat(0x7f) }, { weight: 1, arbitrary: fc.nat(0xffff) })
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units))
}
