import { existsSync, readFileSync } from 'node:fs'

/** Whether a process has ended. */
export function isGone(pid: number): boolean {
  // A killed child that its new parent does not reap is a zombie. It holds no port and no memory.
  const stat = `/proc/${pid}/stat`
  if (existsSync(stat)) return readFileSync(stat, 'utf8').split(') ')[1]?.startsWith('Z') ?? false
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
