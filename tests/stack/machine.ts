import { request } from 'node:http'
import { checkPorts } from '../../demo/ports.ts'
import { type Engine, NoEngine } from './engine.ts'
import { isDisabled, publicNames } from './images/make.ts'

const ports = [8540, 8080, 9090, 9093, 4318, 16686, 3001]

/** Another stack running here is not a failure. */
export async function refuseTakenPorts(): Promise<void> {
  for (const port of ports)
    await checkPorts(port, '127.0.0.1').catch(() => {
      throw new NoEngine(`port ${port}, which docker-compose.yml publishes, is taken`)
    })
}

/** In a foreign engine: the returned function removes the images that did not exist before. */
export async function keepImages({ docker, isOwn }: Engine): Promise<() => Promise<void>> {
  if (isOwn) return async () => {}
  const names = [...publicNames, 'quorate:0.1.0', 'quorate-chains:0.1.0']
  const wasHeld = await Promise.all(names.map((name) => isDisabled(docker, name)))
  const ours = names.filter((_, at) => !wasHeld[at])
  return async () => {
    for (const name of ours) await docker(['image', 'rm', name]).catch(() => {})
  }
}

/** CPU time of a container, in milliseconds. */
export async function processorMs(docker: Engine['docker'], id: string): Promise<number> {
  const address = await docker(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'])
  const socketPath = address.replace('unix://', '')
  const text = await new Promise<string>((resolve, reject) => {
    const path = `/containers/${id}/stats?stream=false&one-shot=true`
    request({ socketPath, path }, async (response) => resolve((await response.toArray()).join('')))
      .once('error', reject)
      .end()
  })
  return JSON.parse(text).cpu_stats.cpu_usage.total_usage / 1e6
}
