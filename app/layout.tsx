import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import { connection } from 'next/server'
import { env } from '#lib/env.ts'
import { site } from '#lib/site.ts'
import './_ui/theme.css'

const ui = localFont({ src: './_ui/fonts/geist.woff2', variable: '--font-ui', weight: '100 900' })
const display = localFont({
  src: './_ui/fonts/instrument-serif.woff2',
  variable: '--font-display',
  weight: '400',
  adjustFontFallback: 'Times New Roman',
})

export const viewport: Viewport = { themeColor: site.colours.ground, colorScheme: 'dark' }

export async function generateMetadata(): Promise<Metadata> {
  const name = env().APP_NAME
  return {
    title: { default: `${name}: ${site.claim}`, template: `%s · ${name}` },
    description: site.description,
    manifest: '/manifest.json',
  }
}

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // The environment is read at run time, so no page may be made at build time.
  await connection()
  return (
    <html lang="en" className={`${ui.variable} ${display.variable}`}>
      <body>{children}</body>
    </html>
  )
}
