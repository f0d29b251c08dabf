import { z } from 'zod'
import { CallError } from '../runtime/errors.ts'
import { callObject, type Executions, type Fit, fitted } from './call-object.ts'
import { blockOverrides, slotsOf, stateOverrides } from './overrides.ts'
import { fail, fields, flag, list, strictFields } from './params.ts'

const blocksMax = 16
const callsMax = 128
const accountsMax = 64
const slotsMax = 1024

const blockStateCall = strictFields({
  blockOverrides: blockOverrides.optional(),
  stateOverrides: stateOverrides.optional(),
  calls: list(callObject, { max: callsMax, of: 'calls' }).optional(),
})

/** The code that execution-apis has for more blocks than a client simulates. */
const tooManyBlocksCode = -38026

const blockList = z
  .unknown()
  .transform((blocks) => {
    if (Array.isArray(blocks) && blocks.length > blocksMax)
      throw new CallError('bad-params', {
        code: tooManyBlocksCode,
        message: `too many blocks: want at most ${blocksMax} blocks`,
      })
    return blocks
  })
  .pipe(list(blockStateCall, { max: blocksMax, of: 'blocks' }).min(1, { error: 'empty input' }))

/** The payload of eth_simulateV1. Its bounds hold over all of its blocks together. */
export const simulation = fields({
  blockStateCalls: blockList,
  traceTransfers: flag,
  validation: flag,
  returnFullTransactions: flag,
}).transform((payload, context) => {
  const blocks = payload.blockStateCalls
  const accounts = blocks.flatMap((block) => Object.values(block.stateOverrides ?? {}))
  const calls = blocks.reduce((count, block) => count + (block.calls?.length ?? 0), 0)
  if (calls > callsMax) return fail(context, payload, `want at most ${callsMax} calls`)
  if (accounts.length > accountsMax) return fail(context, payload, `want at most ${accountsMax} accounts`)
  if (slotsOf(accounts) > slotsMax) return fail(context, payload, `want at most ${slotsMax} storage slots`)
  return payload
})

type Simulation = z.output<typeof simulation>

/** Each call of a simulation, with the gas that it may have. */
export const fitSimulation: Fit = (params, limits) => {
  const payload = params[0] as Simulation
  const blockStateCalls = payload.blockStateCalls.map((block) =>
    block.calls === undefined ? block : { ...block, calls: block.calls.map((call) => fitted(call, limits)) },
  )
  return params.with(0, { ...payload, blockStateCalls })
}

export function executionsOfSimulation([payload]: readonly unknown[]): Executions {
  const { blockStateCalls } = payload as Simulation
  return {
    calls: blockStateCalls.flatMap(({ calls = [] }) => calls),
    overrides: blockStateCalls.map(({ stateOverrides = {} }) => stateOverrides),
  }
}
