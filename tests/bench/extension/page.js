// The provider in the page, announced as EIP-6963 has it.
{
  const waiting = new Map()
  let lastId = 0
  addEventListener('message', ({ source, data }) => {
    if (source !== window || data?.from !== 'bench-extension') return
    waiting.get(data.id)?.(data.result)
    waiting.delete(data.id)
  })
  const provider = {
    request: ({ method }) =>
      new Promise((resolve) => {
        lastId += 1
        waiting.set(lastId, resolve)
        postMessage({ to: 'bench-extension', id: lastId, method })
      }),
    on() {},
    removeListener() {},
  }
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E'
  const info = { uuid: 'bench-extension', name: 'Bench Extension', icon, rdns: 'bench.extension' }
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
