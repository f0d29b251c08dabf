'use client'

/**
 * Renders a script only in the server's HTML. If hydration fails and React renders the page again in the browser, Trusted Types
 * forbid creating a script from text, and one of an address that is no file of the build. React ignores unknown elements in the body.
 */
export function HtmlOnly({ children }: { children: React.ReactNode }) {
  return typeof window === 'undefined' && children
}
