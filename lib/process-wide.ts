/**
 * A value that exists once per process or isolate. Next bundles every module several times: server.ts, pages, route handlers,
 * proxy.ts and each edge isolate have copies of their own. A variable of a module would exist once per copy, so this is a property
 * of the global object.
 */
export interface ProcessWide<Value> {
  value: Value | undefined
}

export function processWide<Value>(name: string): ProcessWide<Value> {
  const key = Symbol.for(`quorate.${name}`)
  const values = globalThis as unknown as Record<symbol, ProcessWide<Value> | undefined>
  values[key] ??= { value: undefined }
  return values[key]
}
