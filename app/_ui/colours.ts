import type { CSSProperties } from 'react'
import { colours, theme } from '#site'

/** A colour for both themes, as CSS. */
export function themed({ light, dark }: { readonly light: string; readonly dark: string }): string {
  return { light, dark, system: `light-dark(${light}, ${dark})` }[theme]
}

/** The theme, and the colours of the site as CSS variables, for the `<html>` element. */
export const themeStyle: CSSProperties = {
  colorScheme: theme === 'system' ? 'light dark' : theme,
  ...Object.fromEntries(Object.entries(colours).map(([name, colour]) => [`--${name}`, themed(colour)])),
}
