import { expect, test } from 'vitest'
import { createArchive } from '../../../../rpc-proxy/ledger/ledger.ts'
import { evidence } from '../../../support/evidence.ts'

test('certificates of large codes take no more memory than those of anything else', () => {
  const archive = createArchive({ entriesMax: 1000, bytesMax: 1 << 20, ageMaxMs: 1000 })
  const code = `0x${'60'.repeat(65_536)}`
  const proof = { header: [], accounts: [], nodes: [], slots: [], code }
  const ids = Array.from({ length: 20 }, (_, index) => `answer-${index}`)
  for (const id of ids) archive.keep(evidence({ id, proof }), 0)
  expect(ids.filter(archive.has)).toHaveLength(3)
})
