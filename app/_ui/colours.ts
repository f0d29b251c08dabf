import type { CSSProperties } from 'react'
import { colours as values } from '#site'

/** The colours of the site as CSS variables, for the `<html>` element. */
export const colours: CSSProperties = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [`--${name}`, value]),
)
