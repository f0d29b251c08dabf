import { benchReplicas } from './replicas.ts'
import { benchRpc } from './rpc.ts'
import { benchWeb } from './web.ts'

/**
 * `npm run bench`: the gateway beside baselines of the same run; `-- rpc <commit>` also beside the gateway of that commit, in turn.
 * `-- web` measures the pages in a browser, `-- replicas` two gateways beside one.
 */
const [what = 'rpc', commit] = process.argv.slice(2)

if (what === 'rpc') await benchRpc(commit)
else if (what === 'web') await benchWeb()
else if (what === 'replicas') await benchReplicas()
else {
  console.error(`no benchmark is called ${what}: rpc, web or replicas`)
  process.exitCode = 1
}
