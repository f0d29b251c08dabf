import type { CSSProperties } from 'react'
import { site } from '#site'

/** The colours of the site as CSS variables, for the `<html>` element. */
export const colours: CSSProperties = Object.fromEntries(
  Object.entries(site.colours).map(([name, value]) => [`--${name}`, value]),
)
