'use client'

/**
 * A script that stands in the HTML alone. Where the browser makes the page anew, since something has changed its HTML, React cannot make
 * a script of a text under Trusted Types; and it passes over what it finds in the body and does not know.
 */
export function HtmlOnly({ children }: { children: React.ReactNode }) {
  return typeof window === 'undefined' && children
}
