import { hostFolders } from './scripts/host-packages.mjs'

/** Stand-alone output is for the image alone: `next start` and a custom server both warn under it. */
const standalone = process.env.STANDALONE === '1'

/** What the Node host needs beside Next's own files; tracing sees only what pages and routes import. */
function hostFiles() {
  const packages = hostFolders(import.meta.dirname).map((folder) => `${folder}/**/*.{js,cjs,mjs,json,wasm}`)
  return ['server.ts', 'quorate.config.ts', 'lib/**/*.ts', 'rpc-proxy/**/*.ts', ...packages]
}

/** @type {import('next').NextConfig} */
const config = {
  ...(standalone && {
    output: 'standalone',
    outputFileTracingIncludes: { '/*': hostFiles() },
    outputFileTracingExcludes: { '/*': ['demo/**', 'tests/**'] },
  }),
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  typescript: { tsconfigPath: 'tsconfig.next.json' },
  // Advisories against the image optimiser keep coming (GHSA-2xp9-vwfh-vxw4); nothing here needs it.
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Loaded by Node itself: their worker threads and native loaders do not survive bundling.
  serverExternalPackages: ['pino', 'pino-pretty', 'undici', '@opentelemetry/sdk-node'],
}

export default config
