/**
 * A wallet that announces itself and never asks, so that both apps wait for the same. It shows its account to a site that has asked for
 * it before. Runs in the page: nothing outside of it can be used.
 */
export function benchWallet(): void {
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const allowed = 'bench-wallet'
  const answers: Readonly<Record<string, unknown>> = { eth_chainId: '0x89' }
  const asksFor: Readonly<Record<string, unknown>> = {
    eth_requestAccounts: [account],
    wallet_requestPermissions: [
      { caveats: [{ type: 'restrictReturnedAccounts', value: [account] }], parentCapability: 'eth_accounts' },
    ],
  }
  const provider = {
    async request({ method }: { method: string }) {
      if (method === 'eth_accounts') return localStorage.getItem(allowed) === null ? [] : [account]
      if (method in asksFor) localStorage.setItem(allowed, 'yes')
      return answers[method] ?? asksFor[method] ?? null
    },
    on() {},
    removeListener() {},
  }
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E'
  const info = { uuid: 'bench', name: 'Bench Wallet', icon, rdns: 'bench.wallet' }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
