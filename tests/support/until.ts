import { vi } from 'vitest'

/** Waits until a condition holds, looking often, and long enough for a machine that is busy with something else. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  await vi.waitUntil(condition, { interval: 10, timeout: timeoutMs })
}
