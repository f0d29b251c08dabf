import { parseEnv } from '#lib/config/env.ts'
import type { Engine } from '#lib/engine/engine.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createRoutes, type RoutesOptions } from '#lib/routes/routes.ts'
import { recordedLog } from '../../support/recorded-log.ts'

/** The routes of a host with these variables, over what a test needs of the engine. */
export function routesOver(
  engine: object,
  variables: Readonly<Record<string, string>> = {},
  more: Partial<RoutesOptions> = {},
) {
  return createRoutes({ peers: null, draining: () => false, ...engine } as unknown as Engine, {
    ...{ build: 'two', streamMsMax: null, auth: null, names: null, replica: null },
    counts: createHostCounts(),
    env: parseEnv(variables),
    log: recordedLog().log,
    ...more,
  })
}
