/** A chain's RPC URL. `gateway` is empty for this site. */
export function gatewayPath(gateway: string, chainId: number): string {
  return `${gateway}/api/rpc/${chainId}`
}
