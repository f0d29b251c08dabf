export type Dimensions = Readonly<Record<string, readonly string[]>>
export type Combination<D extends Dimensions> = { readonly [K in keyof D]: D[K][number] }

/**
 * A small set of combinations in which every pair of values from different dimensions occurs at least once. Greedy and
 * deterministic: each starts with an uncovered pair and takes from every other dimension the value that covers the most new
 * pairs, and of those the least used one.
 */
export function allPairs<D extends Dimensions>(dimensions: D): readonly Combination<D>[] {
  const names = Object.keys(dimensions)
  const open = pairsOf(names, (name) => dimensions[name] ?? [])
  const made: Record<string, string>[] = []
  const had = (name: string, value: string) =>
    made.filter((combination) => combination[name] === value).length
  for (const pair of open) {
    const combination: Record<string, string> = Object.fromEntries(pair.split(' & ').map(partsOf))
    for (const name of names) {
      const leastFirst = [...(dimensions[name] ?? [])].sort((a, b) => had(name, a) - had(name, b))
      combination[name] ??= best(leastFirst, name, combination, open)
    }
    for (const met of pairsOf(names, (name) => [combination[name] ?? ''])) open.delete(met)
    made.push(combination)
  }
  return made as readonly Combination<D>[]
}

/** Every pair of values, as text: 'fault=html & position=half'. A set that is walked may shrink meanwhile. */
function pairsOf(names: readonly string[], valuesOf: (name: string) => readonly string[]): Set<string> {
  const pairs = new Set<string>()
  for (const [place, one] of names.entries())
    for (const other of names.slice(place + 1))
      for (const left of valuesOf(one))
        for (const right of valuesOf(other)) pairs.add(`${one}=${left} & ${other}=${right}`)
  return pairs
}

const partsOf = (text: string) => text.split('=') as [string, string]

/** The value that covers the most open pairs beside those which the combination has. */
function best(
  values: readonly string[],
  name: string,
  combination: Readonly<Record<string, string>>,
  open: ReadonlySet<string>,
): string {
  const isOpen = (value: string, [other, at]: [string, string]) =>
    open.has(`${name}=${value} & ${other}=${at}`) || open.has(`${other}=${at} & ${name}=${value}`)
  const news = values.map(
    (value) => Object.entries(combination).filter((other) => isOpen(value, other)).length,
  )
  return values[news.indexOf(Math.max(...news))] ?? ''
}
