import { randomBytes } from 'node:crypto'
import { closedPages, homeRewrites, platformError } from './lib/config/features.ts'
import { closedHeaders, strictTransport } from './lib/response-headers.ts'
import { finishStatic } from './scripts/finish-static.mjs'
import { hostFolders } from './scripts/host-packages.mjs'
import { bodyBytesMax, site } from './site.config.ts'

// Next prints before it asks instrumentation.ts. A full disk or a reader that has ended costs the lines, not the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const refusal = platformError(process.env)
if (refusal !== null) throw new Error(refusal)

/** Stand-alone output is for the image alone: `next start` and a custom server both warn under it. */
const standalone = process.env.STANDALONE === '1'

/**
 * Names this build in its pages and in responses, so that a page finds out about a newer one. In the environment because the
 * processes of a build each read this file. What it bundles has it as a constant; at run time `.next/BUILD_ID` counts.
 */
const buildId = process.env.BUILD_ID || randomBytes(9).toString('base64url')
process.env.BUILD_ID = buildId

/** What the Node host needs beside Next's own files; tracing sees only what pages and routes import. */
function hostFiles() {
  const packages = hostFolders(import.meta.dirname).map((folder) => `${folder}/**/*.{js,cjs,mjs,json,wasm}`)
  return ['server.ts', 'quorate.config.ts', 'site.config.ts', 'lib/**/*.ts', 'rpc-proxy/**/*.ts', ...packages]
}

const unusedWagmi = './lib/wallet/unused-wagmi.ts'
const leanNext = { browser: './app/_ui/lean-next.tsx' }

/** @param {string} source @param {Readonly<Record<string, string>>} headers */
function sent(source, headers) {
  return { source, headers: Object.entries(headers).map(([key, value]) => ({ key, value })) }
}

/**
 * What is no page is closed. Pages have headers of their own from proxy.ts, which take the place of these. Calls are left out:
 * lib/routes/routes.ts gives their answers the same headers, and to match these first takes 16 µs a call.
 */
async function headers() {
  const isSecure = /** @type {const} */ ([{ type: 'header', key: 'x-forwarded-proto', value: 'https' }])
  const everything = '/((?!api/rpc/\\d+$).*)'
  return [
    sent(everything, closedHeaders),
    { ...sent(everything, strictTransport), has: [...isSecure] },
    // Safe shows both on its own page.
    ...['/manifest.json', site.logo].map((file) =>
      sent(file, { 'cross-origin-resource-policy': 'cross-origin' }),
    ),
  ]
}

/** What is off in site.config.ts is not found. The edge host's one isolate that knows of wrong tokens, of log-outs and of sessions is the gateway's. */
async function rewrites() {
  return {
    beforeFiles: [
      // Next's page for an error of the whole app, with which it would answer 500.
      { source: '/_global-error', destination: '/_not-found' },
      ...homeRewrites(),
      ...closedPages().map((page) => ({ source: `${page}/:path*`, destination: '/_not-found' })),
      { source: '/.well-known/quorate.json', destination: '/api/rpc/keys' },
      { source: '/api/operator/session', destination: '/api/rpc/session' },
      { source: '/api/auth/:path*', destination: '/api/rpc/auth/:path*' },
      { source: '/api/names', destination: '/api/rpc/names' },
    ],
  }
}

/** @type {import('next').NextConfig} */
const config = {
  ...(standalone && {
    output: 'standalone',
    outputFileTracingIncludes: { '/*': hostFiles() },
    outputFileTracingExcludes: { '/*': ['demo/**', 'tests/**'] },
  }),
  experimental: {
    // With it the next build is hardly quicker, and to write it takes a fifth of each.
    turbopackFileSystemCacheForBuild: false,
    // Seven scripts in place of eleven for `/`, and 2 kB less: each costs the parser time before the content.
    turbopackChunking: { minChunkSize: 150_000 },
    // The Node host writes a page's sheets into its HTML: many small ones, of which it takes what the page needs.
    cssChunking: { type: 'graph', requestCost: 8000 },
    serverActions: { bodySizeLimit: bodyBytesMax },
    // Next cuts what is longer, where proxy.ts runs.
    proxyClientMaxBodySize: bodyBytesMax,
  },
  outputFileTracingRoot: import.meta.dirname,
  turbopack: {
    root: import.meta.dirname,
    resolveAlias: {
      // wagmi's createConfig loads these for a discovery and a storage that are off: lib/wallet/config.ts.
      './connectors/injected.js': unusedWagmi,
      './createStorage.js': unusedWagmi,
      mipd: unusedWagmi,
      // As Next's client imports them. That of the development server reads more of the constants.
      ...(process.env.NODE_ENV === 'production' && {
        '../../../lib/constants': leanNext,
        '../../../../lib/constants': leanNext,
        '../build/polyfills/polyfill-module': leanNext,
        './builtin/global-error': leanNext,
        '../components/builtin/global-error': leanNext,
      }),
    },
  },
  typescript: { tsconfigPath: 'tsconfig.next.json' },
  // Advisories against the image optimiser keep coming (GHSA-2xp9-vwfh-vxw4); nothing here needs it.
  images: { unoptimized: true },
  poweredByHeader: false,
  generateBuildId: () => buildId,
  env: { BUILD_ID: buildId },
  compiler: { runAfterProductionCompile: finishStatic },
  headers,
  rewrites,
  reactStrictMode: true,
  // Loaded by Node itself: their worker threads and native loaders do not survive bundling.
  serverExternalPackages: ['pino', 'pino-pretty', 'undici', '@opentelemetry/sdk-node'],
}

export default config
