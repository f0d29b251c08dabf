/** For the suites of what uses the engine: `@quorate/engine/testing.js`. Nothing that runs imports it. */
export {
  callerFields,
  chainFields,
  limitFields,
  methodFields,
  nodeFields,
  rateFields,
  rootFields,
} from './config/fields.ts'
export { certify } from './ledger/certificate.ts'
export { methodSpec, methods } from './methods/table.ts'
export { verifyProof } from './proving/trie-proof.ts'
export { dayMs, PeriodCounts } from './runtime/period-counts.ts'
export { headerItems, verifyHeader } from './wire/header-hash.ts'
