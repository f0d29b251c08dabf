import { createLookup } from './name-lookup.ts'

/** How long a connection may take to be made, look-up, all addresses and TLS included. */
export const connectMsMax = 10_000

/** How long a connection to a node is used. It ends with the last reply on it. */
export const connectionAgeMsMax = 300_000

/**
 * How long one address of a name is tried before the next one. Node gives it 250 ms, within which a distant server cannot answer;
 * this is enough for a round trip of a second, or for a shorter one whose first packet was lost.
 */
export const addressMsMax = 2_500

/** How every connection of the process finds its address. */
export const socketOptions = {
  lookup: createLookup(),
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: addressMsMax,
} as const
