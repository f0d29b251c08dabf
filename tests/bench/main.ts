import { benchRpc } from './rpc.ts'
import { benchWeb } from './web.ts'

/** `npm run bench`: ratios against baselines of the same run. `-- web` measures the page in a browser instead. */
const [what = 'rpc'] = process.argv.slice(2)

if (what === 'web') await benchWeb()
else if (what === 'rpc') await benchRpc()
else {
  console.error(`no benchmark is called ${what}: rpc or web`)
  process.exitCode = 1
}
