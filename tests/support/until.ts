import { vi } from 'vitest'

/** Polls a condition until it holds, for longer than any machine takes. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { interval: 10, timeout: 180_000 })
}
