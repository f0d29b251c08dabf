import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** RainbowKit as its own instructions set it up, to measure ours against. */
export default { turbopack: { root }, outputFileTracingRoot: root, poweredByHeader: false }
