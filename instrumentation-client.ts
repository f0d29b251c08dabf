/**
 * Trusted Types: Turbopack's loader of chunks is the one place of ours that gives a script its address, and it does so as
 * text. Nothing but our own static files passes here, and no text becomes HTML or a script at all.
 */
const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): void } }
trustedTypes?.createPolicy('default', {
  createScriptURL: (text: string) => (isStaticFile(text) ? text : null),
})

function isStaticFile(text: string): boolean {
  const { origin, pathname } = new URL(text, location.href)
  return origin === location.origin && pathname.startsWith('/_next/static/')
}
