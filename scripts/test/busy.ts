import { spawn, spawnSync } from 'node:child_process'

const cores = '0,1'
/** Each ends with the process that started it, however that ends: it has another parent then. */
const isWanted = `process.ppid === ${process.pid}`
const loop = `while (${isWanted}) for (let count = 0; count < 1e8; count++);`
/** Flushes 8 MiB after 8 MiB to a file that has no name any more. */
const writer = `const { fsyncSync, mkdtempDisposableSync, openSync, writeSync } = require('node:fs')
const folder = mkdtempDisposableSync(require('node:os').tmpdir() + '/busy-')
const file = openSync(folder.path + '/disk', 'w')
folder.remove()
while (${isWanted}) { writeSync(file, Buffer.alloc(8 << 20), 0, 8 << 20, 0); fsyncSync(file) }`

/** Four busy loops on the two cores that this process and its suites are held to from now on, where `taskset` is there, and a slow disk. Returns what ends them. */
export function startBusyLoops(): () => void {
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(process.pid)])
  const children = [loop, loop, loop, loop, writer].map((program) =>
    spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  return end
}
