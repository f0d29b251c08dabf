import { benchBatch } from './batch.ts'
import { benchMemory } from './memory.ts'
import { benchRpc } from './rpc.ts'
import { benchTexts } from './texts.ts'
import { benchTrace } from './trace.ts'
import { benchWeb } from './web.ts'

/** `npm run bench`: ratios against baselines of the same run. `-- web` measures the page in a browser instead, `-- texts` the readers of long texts,
 * `-- batch` one batch of a hundred times the same long answer, `-- memory` what answers leave in memory, `-- trace` what tracing costs. */
const [what = 'rpc'] = process.argv.slice(2)

if (what === 'web') await benchWeb()
else if (what === 'rpc') await benchRpc()
else if (what === 'texts') benchTexts()
else if (what === 'batch') await benchBatch()
else if (what === 'memory') await benchMemory()
else if (what === 'trace') await benchTrace()
else {
  console.error(`no benchmark is called ${what}: rpc, web, texts, batch, memory or trace`)
  process.exitCode = 1
}
