import { benchBatch } from './batch.ts'
import { benchHeap } from './heap.ts'
import { benchMemory } from './memory.ts'
import { benchProofs } from './proofs.ts'
import { benchReplicas } from './replicas.ts'
import { benchRisk } from './risk.ts'
import { benchRpc } from './rpc.ts'
import { benchTexts } from './texts.ts'
import { benchTrace } from './trace.ts'
import { benchWeb } from './web.ts'

/** `npm run bench`: ratios against baselines of the same run. `-- web` measures the page in a browser instead, `-- texts` the readers of long texts,
 * `-- batch` one batch of a hundred times the same long answer, `-- memory` what answers leave in memory, `-- trace` what tracing costs,
 * `-- risk` what voters that are down and protected calls cost, `-- proofs` what a proven read costs beside one by a quorum,
 * `-- replicas` two gateways beside one,
 * `-- heap '' '--max-semi-space-size=4'` what flags of V8 save. */
const [what = 'rpc', ...more] = process.argv.slice(2)

if (what === 'web') await benchWeb()
else if (what === 'rpc') await benchRpc()
else if (what === 'texts') benchTexts()
else if (what === 'batch') await benchBatch()
else if (what === 'memory') await benchMemory()
else if (what === 'trace') await benchTrace()
else if (what === 'heap') await benchHeap(more)
else if (what === 'risk') await benchRisk(more[0])
else if (what === 'proofs') await benchProofs()
else if (what === 'replicas') await benchReplicas()
else {
  console.error(
    `no benchmark is called ${what}: rpc, web, texts, batch, memory, trace, heap, risk, proofs or replicas`,
  )
  process.exitCode = 1
}
