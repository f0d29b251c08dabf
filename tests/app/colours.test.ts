import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { colours } from '#site'

type Theme = 'light' | 'dark'
type Rgb = readonly number[]
type Name = keyof typeof colours

const grounds = ['ground', 'surface', 'surface-2', 'surface-3'] as const
const texts = ['text', 'muted', 'faint', 'accent', 'accent-strong', 'bad'] as const
/** Signs, charts, focus rings, and the borders of what is typed into. */
const parts = ['accent', 'accent-strong', 'bad', 'field'] as const

function rgb(name: Name, theme: Theme): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(colours[name][theme])?.[1]
  if (!hex) throw new Error(`${name} must be written as #rrggbb`)
  return [...Buffer.from(hex, 'hex')]
}

/** As CSS's `color-mix(in srgb, one share, other)`. */
function mix(one: Rgb, share: number, other: Rgb): Rgb {
  return one.map((part, index) => part * share + (other[index] ?? 0) * (1 - share))
}

/** WCAG's relative luminance. */
function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The pairs below this contrast. */
function weak(theme: Theme, names: readonly Name[], least: number) {
  const pairs = names.flatMap((name) => grounds.map((ground) => ({ name, ground })))
  return pairs
    .map(({ name, ground }) => ({ name, ground, ratio: contrast(rgb(name, theme), rgb(ground, theme)) }))
    .filter(({ ratio }) => ratio < least)
}

describe.each(['light', 'dark'] as const)('the %s theme by WCAG AA', (theme) => {
  test('text is read on every ground, 4.5:1', () => {
    expect(weak(theme, texts, 4.5)).toEqual([])
  })

  test('signs, charts, focus and fields are seen on every ground, 3:1', () => {
    expect(weak(theme, parts, 3)).toEqual([])
  })

  test('text is read on the tints of notices, 4.5:1', () => {
    const tints = { accent: 0.1, bad: 0.14 } as const
    for (const [tint, share] of Object.entries(tints) as ['accent' | 'bad', number][])
      for (const name of [tint, 'text'] as const) {
        const ground = mix(rgb(tint, theme), share, rgb('surface', theme))
        expect(contrast(rgb(name, theme), ground), `${name} on ${tint}`).toBeGreaterThanOrEqual(4.5)
      }
  })

  test('text is read on every part of a primary button, 4.5:1', () => {
    const fill = rgb('accent-fill', theme)
    for (const part of [fill, mix(fill, 0.7, [255, 255, 255]), mix(fill, 0.92, [0, 0, 0])])
      expect(contrast(rgb('on-accent', theme), part)).toBeGreaterThanOrEqual(4.5)
  })
})

test('every variable that a style uses is a colour of the site or set somewhere', () => {
  const app = join(import.meta.dirname, '../../app')
  const text = globSync('**/*.{css,ts,tsx}', { cwd: app })
    .map((file) => readFileSync(join(app, file), 'utf8'))
    .join('\n')
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const known = new Set([
    ...Object.keys(colours),
    ...names(/--([\w-]+)['"`]?\]?:/g),
    ...names(/variable: '--([\w-]+)'/g),
  ])
  expect(names(/var\(--([\w-]+)/g).filter((name) => !known.has(name))).toEqual([])
})
