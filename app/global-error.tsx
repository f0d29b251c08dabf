'use client'

import { useState } from 'react'
import { site } from '#lib/site.ts'
import { Failure } from './_ui/failure.tsx'
import { fontClasses } from './_ui/fonts.ts'
import { PlainHeader } from './_ui/plain-header.tsx'
import './_ui/theme.css'

/** The error page for failures of the root layout, with its own document. */
export default function GlobalFailure({ error, retry }: { error: unknown; retry: () => void }) {
  const [name] = useState(appName)
  return (
    <html lang="en" className={fontClasses}>
      <body>
        <PlainHeader name={name} />
        <main id="content">
          <Failure error={error} retry={retry} />
        </main>
      </body>
    </html>
  )
}

/** As the document that failed had it. */
function appName(): string {
  if (typeof document === 'undefined') return site.name
  return document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? site.name
}
