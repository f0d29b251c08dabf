import { type PublicCertificate, publicCertificate } from '../certificate/public-certificate.ts'
import { createSigner, type Signer } from '../certificate/sign-certificate.ts'
import type { Env } from '../config/env.ts'
import { answerOf, type Engine } from './engine.ts'

export type EvidenceSettings = Pick<Env, 'SIGNING_KEY' | 'PUBLIC_EVIDENCE'>

/** One answer's public certificate, whichever process gave it, signed where there is a key; null where it is not stored any more or not public. */
export async function evidenceOf(
  engine: Engine,
  id: string,
  { build, ...settings }: EvidenceSettings & { readonly build: string | null },
): Promise<PublicCertificate | null> {
  const certificate = settings.PUBLIC_EVIDENCE ? await answerOf(engine, id) : null
  if (certificate === null) return null
  const unsigned = publicCertificate(certificate, build)
  return signerOf(settings)?.sign(unsigned) ?? { ...unsigned, signature: null }
}

/** By key; a process has one. */
const signers = new Map<string, Signer>()

/** Null without a key. */
export function signerOf({ SIGNING_KEY }: EvidenceSettings): Signer | null {
  if (SIGNING_KEY === undefined) return null
  const signer = signers.get(SIGNING_KEY) ?? createSigner(SIGNING_KEY)
  signers.set(SIGNING_KEY, signer)
  return signer
}
