import { cookies, headers } from 'next/headers'
import { chains } from '#lib/chains.ts'
import { env } from '#lib/env.ts'
import { numberMarks } from '#lib/page/format.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { visitorCookie } from '#lib/wallet/visitor.ts'
import { Footer } from '../_ui/footer.tsx'
import { Header } from '../_ui/header.tsx'
import { AccountCorner } from '../_wallet/account-corner.tsx'
import { Providers } from '../_wallet/providers.tsx'

/** Every page that knows a wallet: the account of a returning visitor stands in the HTML. */
export default async function WalletLayout({ children }: { children: React.ReactNode }) {
  const { APP_NAME, DEMO, GATEWAY_URL, WALLETCONNECT_PROJECT_ID } = env()
  const given = await headers()
  const facts = {
    // The real chain's explorer knows nothing of a local one.
    chains: DEMO ? chains().map((chain) => ({ ...chain, explorer: null })) : chains(),
    gateway: GATEWAY_URL ?? '',
    demo: DEMO,
    walletConnectId: WALLETCONNECT_PROJECT_ID ?? '',
    appName: APP_NAME,
    numberMarks: numberMarks(given.get('accept-language')),
    visitor: readVisitor((await cookies()).get(visitorCookie)?.value),
  }
  const nonce = given.get('x-nonce') ?? undefined
  return (
    <>
      {DEMO && <script async src="/demo-wallet.js" nonce={nonce} />}
      <Providers facts={facts}>
        <Header name={APP_NAME} demo={DEMO} current="/">
          <AccountCorner />
        </Header>
        <main id="content">{children}</main>
        <Footer />
      </Providers>
    </>
  )
}
