// A wallet's service worker evaluates some megabytes and reads its vault before it answers. This one is busy for as long.
const wakesForMs = 300
const endMs = Date.now() + wakesForMs
while (Date.now() < endMs);

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const asksFor = {
  eth_requestAccounts: [account],
  wallet_requestPermissions: [
    { caveats: [{ type: 'restrictReturnedAccounts', value: [account] }], parentCapability: 'eth_accounts' },
  ],
}

/** It shows its account to a site that has asked for it before. */
async function answer(method, origin) {
  if (method === 'eth_chainId') return '0x89'
  if (method in asksFor) await chrome.storage.local.set({ [origin]: true })
  const { [origin]: isAllowed } = await chrome.storage.local.get(origin)
  return method === 'eth_accounts' ? (isAllowed ? [account] : []) : (asksFor[method] ?? null)
}

chrome.runtime.onMessage.addListener(({ method }, { origin }, reply) => {
  void answer(method, origin).then(reply)
  return true
})
