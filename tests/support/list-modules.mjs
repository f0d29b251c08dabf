import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded before a host by `--import`: writes the address of each module that it loads into the file MODULES_FILE. */
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(String(process.env.MODULES_FILE), `${url}\n`)
    return nextLoad(url, context)
  },
})
