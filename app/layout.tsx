import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { buildId, env } from '#lib/config/env.ts'
import { earlyPressScript } from '#lib/page/early-press.ts'
import { earlyWakeScript } from '#lib/wallet/early-wake.ts'
import { colours, site, theme } from '#site'
import { themeStyle } from './_ui/colours.ts'
import { fontClasses } from './_ui/fonts.ts'
import { Footer } from './_ui/footer.tsx'
import { Header } from './_ui/header.tsx'
import { HtmlOnly } from './_ui/html-only.tsx'
import { NewVersionBar } from './_ui/new-version.tsx'
import { Notifications } from './_ui/notifications.tsx'
import { AccountCorner } from './_wallet/account-corner.tsx'
import { Providers } from './_wallet/providers.tsx'
import { walletFacts } from './_wallet/wallet-facts.ts'
import './_ui/theme.css'

const { ground } = colours

export const viewport: Viewport = {
  // A dialog stands above a phone's keyboard, and not behind it.
  interactiveWidget: 'resizes-content',
  ...(theme === 'system'
    ? {
        themeColor: (['light', 'dark'] as const).map((scheme) => ({
          media: `(prefers-color-scheme: ${scheme})`,
          color: ground[scheme],
        })),
        colorScheme: 'light dark',
      }
    : { themeColor: ground[theme], colorScheme: theme }),
}

export async function generateMetadata(): Promise<Metadata> {
  const name = env().APP_NAME
  return {
    title: { default: `${name}: ${site.claim}`, template: `%s · ${name}` },
    description: site.description,
    applicationName: name,
    manifest: '/manifest.json',
    icons: { icon: { url: site.logo, type: 'image/svg+xml', sizes: 'any' } },
  }
}

/** The root layout. The account of a returning visitor is in the HTML, and nothing waits for a node. */
export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // The environment is read at run time, so no page may be prerendered.
  await connection()
  const facts = await walletFacts()
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    <html lang="en" className={fontClasses} style={themeStyle} data-build={buildId}>
      <body>
        <noscript>
          <style nonce={nonce}>{streamedWithoutScript}</style>
        </noscript>
        <HtmlOnly>{facts.demo && <script async src="/demo-wallet.js" nonce={nonce} />}</HtmlOnly>
        <Providers facts={facts}>
          <Header name={facts.appName} demo={facts.demo}>
            <AccountCorner />
          </Header>
          <main id="content">{children}</main>
          <Footer />
          <NewVersionBar />
          <Notifications />
        </Providers>
        {/* Behind the content: at a script the parser pauses, and the page's scripts would run before anything is painted. */}
        <HtmlOnly>
          <script nonce={nonce}>
            {earlyPressScript + (facts.visitor ? earlyWakeScript(facts.visitor.connectorId) : '')}
          </script>
        </HtmlOnly>
      </body>
    </html>
  )
}

/** Streamed content waits in hidden elements at the end of the page until a script moves it into place. */
const streamedWithoutScript = `
[data-streamed] { display: none }
body > div[hidden][id^="S:"]:has(> [data-chain], > section) { display: block; order: 1; width: min(100%, var(--page)); margin: var(--space-4) auto; padding-inline: var(--gutter) }
body > footer { order: 2 }`
