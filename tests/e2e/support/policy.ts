import type { BrowserContext } from '@playwright/test'

/** CSP violations of the pages of a context from now on, one sentence each. */
export async function watchPolicies(context: BrowserContext): Promise<string[]> {
  const refused: string[] = []
  await context.exposeBinding('policyRefused', (_, sentence: string) => void refused.push(sentence))
  await context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, sample, sourceFile }) =>
        Reflect.get(
          window,
          'policyRefused',
        )(`${effectiveDirective} refused ${blockedURI} ${sample} (${sourceFile})`),
    )
  })
  // The console also has violations that no page event reports: refused frames, and pages without JavaScript.
  context.on('console', (message) => {
    if (/Content Security Policy|Permissions[- ]Policy|TrustedHTML|TrustedScript/i.test(message.text()))
      refused.push(message.text())
  })
  return refused
}
