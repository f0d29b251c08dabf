import { heard } from '../support/listening.mjs'
import { url } from '../support/steps.mjs'
import { startPonder } from './indexer.mjs'

const ponder = await startPonder(url)
const hashes = new Map()
for (;;) {
  const { blocks } = (await ponder.rows()) ?? { blocks: [] }
  for (const { number, hash } of blocks) {
    if (hashes.get(number) !== hash) heard('heads', { number, hash })
    hashes.set(number, hash)
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
}
