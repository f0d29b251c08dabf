import localFont from 'next/font/local'

// Until a font is there, text is in the faces of theme.css that have its metrics; Next's own are of Arial and Times New Roman alone.
const ui = localFont({
  src: './fonts/geist.woff2',
  variable: '--font-ui',
  weight: '400 700',
  adjustFontFallback: false,
  fallback: ['ui-metrics'],
})
/** Of headings, which most pages do not have: only they ask for it. */
const display = localFont({
  src: './fonts/instrument-serif.woff2',
  variable: '--font-display',
  weight: '400',
  preload: false,
  adjustFontFallback: false,
  fallback: ['display-metrics', 'display-metrics-wide'],
})

/** For the root element of every document. */
export const fontClasses = `${ui.variable} ${display.variable}`
