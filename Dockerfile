# The app and its gateway: `docker build -t quorate .`; the local chains of docker-compose.yml: `--target chains`.
# BuildKit alone. Behind a TLS proxy: --secret id=ca,src=/etc/ssl/certs/ca-certificates.crt; other registries: --secret id=npmrc,src=$HOME/.npmrc
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /src
# The tarball of an engine that is a package, where there is one.
COPY package.json package-lock.json .npmrc *.tgz ./
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc --mount=type=cache,target=/var/cache/npm \
    export NPM_CONFIG_USERCONFIG=/run/secrets/npmrc NPM_CONFIG_CACHE=/var/cache/npm; \
    if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca npm_config_cafile=/run/secrets/ca; fi; \
    npm install --no-save --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error

FROM packages AS chains
COPY demo demo
COPY scripts scripts
COPY deploy/chains.json deploy/
COPY contracts contracts
COPY quorate.config.ts tokens.json ./
USER node
CMD ["node", "demo/serve.ts", "--open"]
HEALTHCHECK --interval=2s --timeout=10s --start-period=120s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8540/control').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]

FROM packages AS build
COPY . .
RUN STANDALONE=1 NEXT_TELEMETRY_DISABLED=1 node node_modules/next/dist/bin/next build
# Node, the libraries that it loads, what tracing found, and the files of the build; less the image optimiser, the CommonJS
# twins of what is imported, and what builds alone read.
RUN mkdir -p /app /image/tmp /owned/quorate/builds \
 && cp --parents /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /image \
 && cp -R .next/standalone/. /app \
 && cp -R .next/static /app/.next/static \
 && if [ -d public ]; then cp -R public /app/public; fi \
 && cd /app && rm -rf server.js .env* node_modules/sharp node_modules/@img \
    node_modules/viem/_cjs node_modules/viem/trusted-setups node_modules/ox/_cjs node_modules/ox/trusted-setups \
    node_modules/next/dist/server/capsize-font-metrics.json \
 && find node_modules/zod -name '*.cjs' -delete && find .next -name '*.nft.json' -delete
# What Node would compile at each start it compiles once, here: at the paths and as the user of the image, which the cache is kept by.
RUN cd /app && mkdir .compiled && chown 65532 .compiled \
 && (NODE_COMPILE_CACHE=/app/.compiled PORT=3999 LOG_LEVEL=silent timeout 200 \
    setpriv --reuid 65532 --regid 65532 --clear-groups node server.ts & \
    node --input-type=module -e "for (let left = 500; left > 0; left--) { \
      const reply = await fetch('http://127.0.0.1:3999/status').catch(() => null); if (reply?.ok) process.exit(0); \
      await new Promise((resolve) => setTimeout(resolve, 300)) } process.exit(1)" && kill $! && wait) && ls .compiled | grep -e -65532

FROM scratch
COPY --from=build /image /
COPY --from=build /app /app
# For KEPT_BUILDS_DIR on a volume, which takes its owner from here.
COPY --from=build --chown=65532:65532 /owned /var/lib
WORKDIR /app
ENV NODE_ENV=production HOST=:: PORT=3000 NODE_COMPILE_CACHE=/app/.compiled
# Old space follows the container's memory limit. docs/deploy.md#memory
ENV NODE_OPTIONS=--max-semi-space-size=16
USER 65532:65532
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s --retries=3 \
    CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT}/api/rpc/ready`).then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["server.ts"]
