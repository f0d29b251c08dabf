'use client'

/**
 * Renders a script in the server's HTML only. When hydration fails and React renders the page again in the browser, Trusted Types do not
 * let it create a script from text. React ignores unknown elements that it finds in the body.
 */
export function HtmlOnly({ children }: { children: React.ReactNode }) {
  return typeof window === 'undefined' && children
}
