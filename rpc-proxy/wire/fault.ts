/**
 * Why a node could not be reached, in words of our own; docs/runbook.md explains each. `connection`: the host was not told.
 *
 * @example
 * throw new SendFault(connectionFaults.find((kind) => kind === told) ?? 'connection', { cause })
 */
export const connectionFaults = [
  'connection',
  'name-not-found',
  'name-server-failed',
  'connection-refused',
  'connection-reset',
  'connection-closed',
  'connect-timeout',
  'no-route',
  'no-tls',
  'tls-failed',
  'certificate-expired',
  'certificate-not-yet-valid',
  'certificate-name',
  'certificate-untrusted',
  'no-http',
  'proxy-failed',
  'too-many-files',
] as const

export type ConnectionFault = (typeof connectionFaults)[number]

export const faultKinds = [
  'timeout',
  ...connectionFaults,
  'cancelled',
  'http',
  'rate-limited',
  'redirect',
  'too-large',
  'malformed',
  'wrong-id',
  'short-batch',
  'wrong-chain',
  'error',
  'wrong-hash',
  'busy',
] as const

/** Silence or noise: never a vote. */
export type FaultKind = (typeof faultKinds)[number]

/** Whether a fault is this process's own: it says nothing about the node. */
export function isOwnFault(fault: FaultKind): boolean {
  return fault === 'cancelled' || fault === 'busy' || fault === 'too-many-files'
}
