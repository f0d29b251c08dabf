// Between the page and the service worker, which this wakes.
addEventListener('message', async ({ source, data }) => {
  if (source !== window || data?.to !== 'bench-extension') return
  const result = await chrome.runtime.sendMessage({ method: data.method })
  postMessage({ from: 'bench-extension', id: data.id, result })
})
