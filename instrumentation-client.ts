/**
 * Trusted Types. Turbopack's chunk loader sets `script.src` to a plain string, the only such sink that is used. The default policy
 * allows our own static files there, and has no rule for HTML or script text, which are refused.
 */
const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): void } }
trustedTypes?.createPolicy('default', {
  createScriptURL: (text: string) => (isStaticFile(text) ? text : null),
})

function isStaticFile(text: string): boolean {
  const { origin, pathname } = new URL(text, location.href)
  return origin === location.origin && pathname.startsWith('/_next/static/')
}
