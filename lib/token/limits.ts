/** Blocks that are looked through for an account's events: nodes refuse long ranges. */
export const eventBlocksMax = 1000
/** Events that are shown of them. */
export const eventsMax = 20
