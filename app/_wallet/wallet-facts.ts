import { cookies, headers } from 'next/headers'
import { env } from '#lib/config/env.ts'
import { hasNames } from '#lib/config/features.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { numberMarks } from '#lib/page/format.ts'
import { currentSession } from '#lib/sign-in/require-session.ts'
import { accountOf } from '#lib/sign-in/session-store.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { visitorCookie } from '#lib/wallet/visitor.ts'
import { features } from '#site'
import type { WalletFacts } from './wallet-types.ts'

/** The wallet facts of this request. */
export async function walletFacts(): Promise<WalletFacts> {
  const { APP_NAME, DEMO, GATEWAY_URL, PUBLIC_EVIDENCE, WALLETCONNECT_PROJECT_ID } = env()
  const visitor = readVisitor((await cookies()).get(visitorCookie)?.value)
  const sent = await headers()
  return {
    // The explorer of the real chain does not know the local chain.
    chains: DEMO ? chains().map((chain) => ({ ...chain, explorer: null, isLocal: true as const })) : chains(),
    gateway: GATEWAY_URL ?? '',
    demo: DEMO,
    walletConnectId: WALLETCONNECT_PROJECT_ID ?? '',
    appName: APP_NAME,
    numberMarks: numberMarks(sent.get('accept-language')),
    visitor,
    hasNames: hasNames(chains().map(({ id }) => id)),
    hasEvidence: PUBLIC_EVIDENCE,
    // Next leaves out a cookie that cannot be decoded.
    isVisitorRefused: visitor === null && (sent.get('cookie') ?? '').includes(`${visitorCookie}=`),
    signedIn: features.signIn ? await signedInAs() : null,
  }
}

async function signedInAs(): Promise<string | null> {
  const session = await currentSession()
  return session === null || session === 'unavailable' ? null : accountOf(session)
}
