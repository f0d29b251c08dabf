import fc from 'fast-check'

/**
 * Any text, including lone surrogates and control characters; mostly ASCII, since JSON syntax is ASCII. fast-check's own
 * `unit: 'binary'` takes seconds to initialize in every test file.
 */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  const unit = fc.oneof({ weight: 4, arbitrary: fc.nat(0x7f) }, { weight: 1, arbitrary: fc.nat(0xffff) })
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units))
}
