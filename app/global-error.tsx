'use client'

import { Failure } from './_ui/failure.tsx'
import './_ui/theme.css'

/** The last resort: the root layout itself broke, so this brings its own document. */
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
