import { spawn } from 'node:child_process'

/** Kills registered processes when this process dies, even after SIGKILL. */
export type Keeper = {
  /** Registers a process, or the group it leads. */
  keep(pid: number): void
  /** Unregisters an exited process, because its pid may be reused. */
  drop(pid: number): void
  /** Ends the keeper and kills all registered processes. */
  close(): void
}

// `read` fails when our end of the pipe closes, which the kernel does even after SIGKILL.
const script = `
while read -r verb pid; do
  others=
  for one in $kept; do [ "$one" = "$pid" ] || others="$others $one"; done
  kept=$others
  [ "$verb" = keep ] && kept="$kept $pid"
done
for pid in $kept; do kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null; done
`

/** Starts a shell in its own session that waits for our exit, so that a crash leaves no orphans. */
export function startKeeper(): Keeper {
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    keep: (pid) => void shell.stdin.write(`keep ${pid}\n`),
    drop: (pid) => void shell.stdin.write(`drop ${pid}\n`),
    close: () => void shell.stdin.end(),
  }
}
