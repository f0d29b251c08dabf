import { ErrorReply } from '@redis/client'
import type { RedisClient } from './redis-connection.ts'

/**
 * The text at a key, and no more of it than this: who can write to Redis could fill a process's memory with it. Nothing else than a text
 * can be bounded so, and so nothing else is kept. Empty where there is none.
 */
export async function textAt(client: RedisClient, key: string, bytesMax: number): Promise<string> {
  return (await client.getRange(key, 0, bytesMax - 1).catch(unlessNoText)) ?? ''
}

/** Somebody has put something there that is no text. */
export function unlessNoText(cause: unknown): null {
  if (cause instanceof ErrorReply && cause.message.startsWith('WRONGTYPE')) return null
  throw cause
}
