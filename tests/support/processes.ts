import { existsSync, readFileSync } from 'node:fs'

/** Whether a process has ended. */
export function isGone(pid: number): boolean {
  // A killed child whose new parent does not reap it is a zombie: it holds no port and no memory.
  const stat = `/proc/${pid}/stat`
  if (existsSync(stat)) return readFileSync(stat, 'utf8').split(') ')[1]?.startsWith('Z') ?? false
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
