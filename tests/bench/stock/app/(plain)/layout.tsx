import '@rainbow-me/rainbowkit/styles.css'
import type { ReactNode } from 'react'
import { Providers } from '../providers.tsx'

// Rendered for each request, as ours is.
export const dynamic = 'force-dynamic'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
