/** Browsers and systems by what their User-Agent has; the first that fits. Most name others that came before them, too. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** “Firefox on Android”, to tell sessions apart; null where that is not known. Nothing else of a User-Agent is kept. */
export function deviceOf(userAgent: string | null): string | null {
  const nameIn = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  return browser !== undefined && system !== undefined
    ? `${browser} on ${system}`
    : (browser ?? system ?? null)
}
