import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** An app with nothing in it, to measure ours against. */
export default { turbopack: { root }, outputFileTracingRoot: root, poweredByHeader: false }
