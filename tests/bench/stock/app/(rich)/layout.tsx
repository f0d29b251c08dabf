import '@rainbow-me/rainbowkit/styles.css'
import type { ReactNode } from 'react'
import { themeStyle } from '../../../../../app/_ui/colours.ts'
import { fontClasses } from '../../../../../app/_ui/fonts.ts'
import { Providers } from '../providers.tsx'
import '../../../../../app/_ui/theme.css'

export const dynamic = 'force-dynamic'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={fontClasses} style={themeStyle}>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
