import names from './orders.json' with { type: 'json' }

type Json = Readonly<Record<string, unknown>>

/** Go writes the keys of a map in alphabetical order. */
export function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Sorts keys in this order; other keys come last. */
function inOrder(keys: string): (object: Json) => Json {
  const order = new Map(keys.split(' ').map((name, index) => [name, index]))
  const rankOf = (name: string) => order.get(name) ?? order.size
  return (object) =>
    Object.fromEntries(Object.entries(object).sort(([one], [other]) => rankOf(one) - rankOf(other)))
}

/** The key order of each client, from its sources. */
export const orders = Object.fromEntries(
  Object.entries(names).map(([name, keys]) => [name, inOrder(keys)]),
) as Readonly<Record<keyof typeof names, (object: Json) => Json>>
