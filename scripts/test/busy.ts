import { spawn, spawnSync } from 'node:child_process'

const loops = 4
const cores = '0,1'
/** Ends with the process that started it, however that ends: it has another parent then. */
const loop = `while (process.ppid === ${process.pid}) for (let count = 0; count < 1e8; count++);`

/** Four busy loops on the two cores that this process and its suites are held to from now on, where `taskset` is there. Returns what ends them. */
export function startBusyLoops(): () => void {
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(process.pid)])
  const children = Array.from({ length: loops }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  return end
}
