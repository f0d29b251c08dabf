/** Blocks searched for an account's events: nodes refuse long ranges. */
export const eventBlocksMax = 1000
/** Events shown. */
export const eventsMax = 20
