/** Where a chain's calls go; `gateway` is empty for this very site. */
export function gatewayPath(gateway: string, chainId: number): string {
  return `${gateway}/api/rpc/${chainId}`
}
