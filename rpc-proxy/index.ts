/**
 * The engine's public API: nothing outside `rpc-proxy/` imports another file of it.
 * Begin with `createGateway`.
 */

export type { KeyedCaller } from './admission/caller.ts'
export { callerKey, networkKey } from './admission/caller.ts'
export type { Usage, UsageRow } from './admission/usage.ts'
export { signedAgeMsMax } from './chain/snapshot.ts'
export type { CallerConfig, ChainConfig, Config, NodeConfig } from './config/config-types.ts'
export { ConfigError, chainRisk, hashOf, parseConfig } from './config/parse-config.ts'
export type {
  CallRecord,
  EngineEvent,
  NodeState,
  Purpose,
  RequestRecord,
  TraceContext,
} from './events/events.ts'
export type {
  BlockId,
  Evidence,
  GroupRecord,
  UpstreamOutcome,
  UpstreamRequestRecord,
} from './events/evidence-types.ts'
export {
  type BudgetPeers,
  type NodeListener,
  type NodePeers,
  type Ports,
  type Send,
  SendFault,
  type SendRequest,
  type SendResponse,
} from './events/ports.ts'
export { upstreamSpanId } from './events/trace-context.ts'
export { createGateway, type Gateway } from './gateway.ts'
export type { Connection, ConnectionOptions } from './http/connection.ts'
export type { BodyFault, GatewayRequest, GatewayResponse } from './http/gateway-request.ts'
export type { SeenBlock } from './ledger/blocks.ts'
export type { Certificate } from './ledger/certificate.ts'
export {
  type ChainHistory,
  type History,
  type HistoryRange,
  type HistoryStep,
  historyStepMs,
  historyStepsMax,
  type NodeHistory,
} from './ledger/history.ts'
export type {
  ChainSnapshot,
  ChainStatus,
  Histogram,
  NodeSnapshot,
  Series,
  SignedFinality,
  Snapshot,
} from './ledger/snapshot-types.ts'
export { type MethodFacts, methodFacts, resultShape } from './methods/facts.ts'
export { clientVersion } from './methods/local.ts'
export { Abort, platformSignal, type Signal } from './runtime/abort.ts'
export { type Cancel, type Clock, systemClock } from './runtime/clock.ts'
export { CallError } from './runtime/errors.ts'
export {
  createFairSlots,
  type FairSlots,
  type FairSlotsOptions,
  RoundCallers,
} from './runtime/fair-slots.ts'
export { header } from './runtime/names.ts'
export type { Shape } from './wire/canonical.ts'
export { type ConnectionFault, connectionFaults } from './wire/fault.ts'
