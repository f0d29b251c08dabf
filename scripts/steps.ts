import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Runs one of the project's own commands on the project's Node; resolves to its exit code. Output is shown as it comes, or goes to a file. */
export function step(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  file?: number,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        // Each step starts Node many times over the same modules; what one has compiled the next need not.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/quorate/compiled'),
        ...env,
      },
      stdio: file === undefined ? 'inherit' : ['ignore', file, file],
    })
    child.on('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** Picks the steps named on the command line, all where none is named; refuses a name that is no step. */
export function chosen<Step extends { readonly name: string }>(steps: readonly Step[]): readonly Step[] {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !steps.some((candidate) => candidate.name === name))
  if (unknown !== undefined) {
    console.error(`There is no step ${unknown}; there are: ${steps.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }
  return names.length === 0 ? steps : steps.filter(({ name }) => names.includes(name))
}

/** Seconds since a moment, as people read them. */
export function secondsSince(startedAtMs: number): string {
  return `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`
}
