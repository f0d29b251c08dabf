'use client'

import { useState } from 'react'
import { site } from '#site'
import { themeStyle } from './_ui/colours.ts'
import { Failure } from './_ui/failure.tsx'
import { fontClasses } from './_ui/fonts.ts'
import header from './_ui/header.module.css'
import './_ui/theme.css'

/**
 * The error page for failures of the root layout, with its own document. Every page loads this code, so its header is the logo and
 * the site's name alone.
 */
export default function GlobalFailure({ error, retry }: { error: unknown; retry: () => void }) {
  const [name] = useState(appName)
  return (
    <html lang="en" className={fontClasses} style={themeStyle}>
      <body>
        <header className={header.header}>
          <a className={header.home} href="/">
            {/* biome-ignore lint/performance/noImgElement: next/image is for pages that work. */}
            <img src={site.logo} alt="" width="30" height="30" />
            {name}
          </a>
        </header>
        <main id="content">
          <Failure error={error} retry={retry} />
        </main>
      </body>
    </html>
  )
}

/** As the document that failed had it. */
function appName(): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLMetaElement>('[name="application-name"]')?.content
}
