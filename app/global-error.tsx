'use client'

import { Failure } from './_ui/failure.tsx'
import './_ui/theme.css'

/** The error page for failures of the root layout, with its own document. */
export default function GlobalFailure({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <main id="content">
          <Failure error={error} retry={retry} />
        </main>
      </body>
    </html>
  )
}
