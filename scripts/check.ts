import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseCertificate } from '#lib/certificate/certificate-text.ts'
import {
  type Checked,
  type CheckName,
  checkCertificate,
  isTextOf,
  operatorsToForge,
} from '#lib/certificate/check-certificate.ts'
import { isProofOf } from '#lib/certificate/proven-call.ts'
import { isResultOf } from '#lib/certificate/result-of.ts'
import { parseJson } from '#lib/parse-json.ts'
import { resultShape } from '#rpc-proxy'

/**
 * `npm run check -- certificate.json`: checks a certificate offline; `-` reads standard input. `--key` is the public key of the
 * gateway, from its /.well-known/quorate.json; `--params` and `--result` are compared with the digests and with what is proven. Exits with 0 where it is valid, 1 where it is refused and 2 where it is not signed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, params: { type: 'string' }, result: { type: 'string' } },
})
const [file] = positionals
if (file === undefined || positionals.length > 1) {
  console.error('npm run check -- certificate.json [--key HEX] [--params JSON] [--result JSON]')
  process.exit(1)
}

const labels: Readonly<Record<CheckName, string>> = {
  format: 'a certificate, version 1',
  signature: 'its signature',
  key: 'of the expected key',
  votes: 'its votes are for its result',
  quorum: 'its votes are a quorum',
  proof: 'its result follows from the block',
}
const signs = { passed: 'ok    ', failed: 'FAILED', absent: '-     ' } as const
const exitCodes = { valid: 0, refused: 1, unsigned: 2 } as const

const checked = await checkCertificate(
  parseCertificate(readFileSync(file === '-' ? 0 : file, 'utf8')),
  values.key,
)
const { certificate, checks, verdict } = checked
for (const { name, state } of checks) console.log(`${signs[state]} ${labels[name]}`)
const compared = await Promise.all([compareParams(checked), compareResult(checked), compareProof(checked)])
const isOther = compared.includes('failed')
if (certificate !== null) console.log(summaryOf(certificate))
console.log(
  isOther ? 'refused' : verdict === 'unsigned' ? 'not signed: anybody can have written it' : verdict,
)
process.exit(isOther ? exitCodes.refused : exitCodes[verdict])

function say(label: string, isPassed: boolean) {
  const state = isPassed ? 'passed' : 'failed'
  console.log(`${signs[state]} ${label}`)
  return state
}

async function compareParams({ certificate }: Checked) {
  if (certificate === null || values.params === undefined) return 'absent'
  return say('of these params', await isTextOf(certificate.paramsSha256, values.params))
}

/** As it was returned, or as another node says it; a revert is no JSON. */
async function compareResult({ certificate }: Checked) {
  if (certificate === null || values.result === undefined) return 'absent'
  const result = parseJson(values.result)
  const claim = { shape: resultShape(certificate.method), result }
  const isText = await isTextOf(certificate.resultSha256, values.result)
  return say('of this result', isText || (result !== undefined && (await isResultOf(certificate, claim))))
}

/** A gateway could sign the params of one account beside the proof of another. */
function compareProof({ certificate }: Checked): 'passed' | 'failed' | 'absent' {
  if (certificate === null || certificate.proof === null || values.params === undefined) return 'absent'
  const params = parseJson(values.params)
  return say('its proof is of these params', Array.isArray(params) && isProofOf(certificate, params))
}

function summaryOf(certificate: NonNullable<Checked['certificate']>): string {
  const { chainId, method, block, votes, outcome, time, signature, thin } = certificate
  const supporters = votes.filter(({ supports }) => supports).map(({ operator }) => operator)
  return [
    `chain ${chainId}, ${method}${block === null ? '' : ` at block ${block.number}`}, ${time}`,
    `${outcome}${thin ? ', thin' : ''}: ${supporters.join(', ')}`,
    `operators that would have had to tell the same lie: ${operatorsToForge(certificate) ?? 'more than there are'}`,
    ...(signature === null ? [] : [`key ${signature.keyId}: ${signature.publicKey}`]),
  ].join('\n')
}
