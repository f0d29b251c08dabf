/**
 * A value that exists once per process or isolate, at first `first`. Next bundles every module several times: server.ts, pages, route handlers,
 * proxy.ts and each edge isolate have copies of their own. A variable of a module would exist once per copy, so this is a property
 * of the global object.
 */
export function processWide<Value>(name: string, first: Value): { value: Value } {
  const key = Symbol.for(`quorate.${name}`)
  const values = globalThis as unknown as Record<symbol, { value: Value } | undefined>
  values[key] ??= { value: first }
  return values[key]
}
