import { vi } from 'vitest'

/** Polls a condition until it holds. The timeout allows for a busy machine. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  await vi.waitUntil(condition, { interval: 10, timeout: timeoutMs })
}
