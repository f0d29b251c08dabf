/**
 * A value that exists once per process or isolate. Next bundles every module several times: server.ts, pages, route handlers,
 * proxy.ts and each edge isolate have copies of their own. A variable of a module would exist once per copy, so this is a property
 * of the global object.
 */
export interface SharedSlot<Value> {
  value: Value | undefined
}

export function sharedSlot<Value>(name: string): SharedSlot<Value> {
  const key = Symbol.for(`quorate.${name}`)
  const slots = globalThis as unknown as Record<symbol, SharedSlot<Value> | undefined>
  slots[key] ??= { value: undefined }
  return slots[key]
}
