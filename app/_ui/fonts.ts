import localFont from 'next/font/local'

const ui = localFont({ src: './fonts/geist.woff2', variable: '--font-ui', weight: '100 900' })
const display = localFont({
  src: './fonts/instrument-serif.woff2',
  variable: '--font-display',
  weight: '400',
  adjustFontFallback: 'Times New Roman',
})

/** For the root element of every document. */
export const fontClasses = `${ui.variable} ${display.variable}`
