import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export type StepOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Receives the output, which is otherwise shown as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined
}

/** Runs one of the project's own commands on the project's Node; resolves to its exit code. */
export function step(
  command: string,
  args: readonly string[],
  { env, onOutput }: StepOptions = {},
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
      stdio: onOutput === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8')
      stream?.on('data', (text: string) => onOutput?.(text))
    }
    child.on('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** Picks the steps with these names, all where there are none; undefined names are refused. */
export function chosen<Step extends { readonly name: string }>(
  steps: readonly Step[],
  names: readonly string[],
): readonly Step[] {
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
