/** Of Transfer and Approval. */
export const eventTopics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  approve: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
} as const

/** Whether a topic is this address. */
export function isTopicOf(topic: string | undefined, address: string): boolean {
  return topic?.toLowerCase() === `0x${wordOf(address)}`
}

/** An address as a word of the ABI, without `0x`. */
export function wordOf(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}
