// A bug in a page, for the server of a test: the text that a visitor looks up cannot be trimmed.
const { trim } = String.prototype
String.prototype.trim = function () {
  const text = Reflect.apply(trim, this, [])
  if (text === 'break the page') throw new RangeError('broken by the test')
  return text
}
