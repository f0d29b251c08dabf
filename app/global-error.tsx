'use client'

import { useState } from 'react'
import { Failure } from './_ui/failure.tsx'
import header from './_ui/header.module.css'
import './_ui/theme.css'

/**
 * The error page for failures of the root layout, with its own document. Every page loads this code, so its header is the logo and
 * the site's name alone, and name and fonts are those of the document that failed.
 */
export default function GlobalFailure({ error, retry }: { error: unknown; retry: () => void }) {
  const [{ name, fonts }] = useState(ofDocument)
  return (
    <html lang="en" className={fonts}>
      <body>
        <header className={header.header}>
          <a className={header.plain} href="/">
            {/* biome-ignore lint/performance/noImgElement: next/image is for pages that work. */}
            <img src="/icon.svg" alt="" width="30" height="30" />
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

function ofDocument(): { readonly name?: string | undefined; readonly fonts?: string } {
  if (typeof document === 'undefined') return {}
  const meta = document.querySelector<HTMLMetaElement>('[name="application-name"]')
  return { name: meta?.content, fonts: document.documentElement.className }
}
