import type { CSSProperties } from 'react'
import { colours } from '#site'

/** The colours of the site as CSS variables, for the `<html>` element. */
export const colourVariables: CSSProperties = Object.fromEntries(
  Object.entries(colours).map(([name, value]) => [`--${name}`, value]),
)
