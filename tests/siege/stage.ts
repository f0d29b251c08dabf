import { type Nodes, startNodes } from '../../demo/nodes/start.ts'
import { configOf, honestly } from '../support/made-up-nodes.ts'

/** 8 MB as hex: the largest answer to one cheap call. */
const longCode = `0x${'60'.repeat(4_000_000)}`

/** Three honest nodes with a long code, and a configuration with default limits behind one proxy. */
export async function startStage(): Promise<{ readonly nodes: Nodes; readonly config: object }> {
  const answer = honestly({ eth_getCode: { result: longCode } })
  const nodes = await startNodes({
    nodes: ['a', 'b', 'c'].map((name) => ({ name, faultProfile: { kind: 'scripted' as const, answer } })),
  })
  return { nodes, config: configOf(nodes, { rate: { trustedHops: 1 } }) }
}
