import { join } from 'node:path'
import { ensureBuild } from '../demo/build.ts'
import { startKeeper } from '../demo/keeper.ts'
import { say } from '../demo/say.ts'
import { writeConfiguration } from './stack/configuration.ts'
import { type Running, startProcess } from './stack/process.ts'
import { ensurePrograms } from './stack/programs.ts'
import { root } from './steps.ts'

/**
 * `npm run stack`: the processes of docker-compose.yml without a container: chains, app, two gateways behind nginx, Prometheus and
 * Alertmanager, with the configuration files of `deploy/` and the addresses of this machine. Ctrl-C ends all of it.
 */
const folder = join(root, '.demo/stack')
const operatorToken = process.env.OPERATOR_TOKEN || 'quorate-local-stack'
const keeper = startKeeper()
const missing = ensurePrograms(['nginx', 'prometheus', 'prometheus-alertmanager'])
if (missing !== null) {
  console.error(missing)
  process.exit(1)
}
await ensureBuild(root, keeper)
const at = writeConfiguration(folder, operatorToken)

const gateway = (port: number, ...args: string[]) => ({
  command: process.execPath,
  args: ['server.ts', ...args],
  env: {
    PORT: String(port),
    OPERATOR_TOKEN: operatorToken,
    RPC_CONFIG_FILE: at('chains.json'),
    LOG_LEVEL: 'warn',
  },
  ready: `http://127.0.0.1:${port}/api/rpc/ready`,
})
const plan = {
  chains: { command: process.execPath, args: ['demo/serve.ts'], ready: 'http://127.0.0.1:8540/control' },
  app: gateway(3000),
  'gateway-1': gateway(3101, '--rpc-only'),
  'gateway-2': gateway(3102, '--rpc-only'),
  nginx: {
    command: 'nginx',
    args: ['-c', at('nginx/nginx.conf'), '-g', 'daemon off;'],
    ready: 'http://127.0.0.1:8080/nginx-health',
  },
  alertmanager: {
    command: 'prometheus-alertmanager',
    args: [
      `--config.file=${at('alertmanager/alertmanager.yml')}`,
      `--storage.path=${at('alertmanager-data')}`,
      '--cluster.listen-address=',
      '--web.listen-address=127.0.0.1:9093',
    ],
    ready: 'http://127.0.0.1:9093/-/ready',
  },
  prometheus: {
    command: 'prometheus',
    args: [
      `--config.file=${at('prometheus/prometheus.yml')}`,
      `--storage.tsdb.path=${at('prometheus-data')}`,
      '--web.listen-address=127.0.0.1:9090',
    ],
    ready: 'http://127.0.0.1:9090/-/ready',
  },
}

let leaving = false
const running: Running[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(0))
try {
  for (const [name, process] of Object.entries(plan)) {
    const started = await startProcess(name, { ...process, cwd: root, logPath: at(`${name}.log`), keeper })
    running.push(started)
    void started.ended.then((how) => leave(1, `${name} ended (${how}): ${at(`${name}.log`)}`))
    say(`${name} is ready`)
  }
} catch (cause) {
  await leave(1, String(cause))
}
console.log(`
  http://localhost:3000            the app; /status takes the token ${operatorToken}
  http://localhost:8080/api/rpc/137   nginx before two gateways
  http://localhost:8540/control    gives nodes a fault
  http://localhost:9090            Prometheus
  http://localhost:9093            Alertmanager

Logs are in ${folder}. Grafana, Jaeger and the OpenTelemetry collector have no Debian package and are left out. Ctrl-C stops all of it.`)

async function leave(code: number, words?: string): Promise<void> {
  if (leaving) return
  leaving = true
  if (words !== undefined) console.error(words)
  for (const process of running.toReversed()) await process.stop()
  process.exit(code)
}
