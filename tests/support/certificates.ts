import { generateKeyPairSync, sign } from 'node:crypto'

export interface CertificateOptions {
  /** The DNS name that it is for. */
  readonly name: string
  readonly fromMs?: number
  readonly toMs?: number
}

const dayMs = 86_400_000

/** A self-signed certificate and its key, as PEM: X.509 v3 with ECDSA over P-256. Valid from yesterday to tomorrow by default. */
export function createCertificate({
  name,
  fromMs = Date.now() - dayMs,
  toMs = Date.now() + dayMs,
}: CertificateOptions): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, name))))
  const extensions = sequence(
    sequence(oid('2.5.29.17'), der(0x04, sequence(der(0x82, name)))),
    sequence(oid('2.5.29.19'), der(0x04, sequence(der(0x01, Buffer.from([255]))))),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(time(fromMs), time(toMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** ITU-T X.690: tag, length, content. */
function der(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  const { length } = bytes
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const groups = [part & 127]
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128)
    return groups
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

/** GeneralizedTime, to the second. */
function time(ms: number): Buffer {
  return der(0x18, `${new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '')}`)
}

/** ecdsa-with-SHA256 */
const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
