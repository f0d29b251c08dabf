import { spawn } from 'node:child_process'

/** Kills what it keeps when this process dies, however it dies. */
export type Keeper = {
  /** From now on this process, or the group it leads, ends no later than we do. */
  keep(pid: number): void
  /** It has ended in good order, and its number may soon belong to somebody else. */
  drop(pid: number): void
  /** Ends the keeper, and what it still keeps. */
  close(): void
}

// `read` fails when the pipe's other end closes, and the kernel closes ours even after SIGKILL.
const script = `
while read -r verb pid; do
  others=
  for one in $kept; do [ "$one" = "$pid" ] || others="$others $one"; done
  kept=$others
  [ "$verb" = keep ] && kept="$kept $pid"
done
for pid in $kept; do kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null; done
`

/** Starts a shell in a session of its own that waits for our death: no crash of ours leaves an orphan. */
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
