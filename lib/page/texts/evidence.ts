import type { Check, CheckName } from '#lib/certificate/check-certificate.ts'
import { isDerived } from '#lib/certificate/is-derived.ts'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'
import { sentence } from '../sentence.ts'

/** What is said to visitors of one answer, and of checking it themselves. */
export const evidenceTexts = {
  title: 'Why believe this?',
  gone: 'This answer is not kept any more, or this gateway shows none. Answers are kept until a thousand newer ones have come: go back to the figure and follow its link again.',
  failed: 'There was no agreement',
  proven: 'Proven against the agreed block',
  provenStory:
    'One node proved it: what it sent hashes to a root in the header of this block. Nobody can make that up for a block that the operators below agree on.',
  of: (chain: string) => `An answer about ${chain}`,
  head: (chain: string) => `Latest block of ${chain}`,
  balance: (address: string, chain: string, block: string) =>
    sentence`Balance of ${address} on ${chain} at block ${block}`,
  lifetime:
    'This link works until a thousand newer answers have come. To keep the evidence, save the certificate.',
  wrongCall:
    'The call in this link is not the one that was answered: neither its digest nor the proof agrees with it. It is not shown.',
  picture: 'Who agrees',
  showsBlock: 'shows this block',
  vote: { for: 'agrees', against: 'disagrees', none: 'not asked, or no usable reply' },
  agreeing: (operators: number) => sentence`${operators} ` + (operators === 1 ? 'agrees' : 'agree'),
  weight: (weight: string) => sentence`weight ${weight}`,
  required: 'must vote',
  forge(count: number | null, total: number): string {
    if (count === null) return 'No number of operators could have made this up.'
    if (count === 1) return 'One operator alone could have made this up.'
    return sentence`${count} of ${total} operators would have had to tell the same lie.`
  },
  thin: 'Fewer operators than usual stand behind this: the others could not be reached.',
  facts: {
    call: 'Call',
    result: 'Answer',
    block: 'Block',
    quorum: 'Needed',
    rule: 'Rule',
    at: 'At (UTC)',
    lie: 'To make this up',
    build: 'Gateway build',
  },
  quorum: (weight: string, total: string, operators: number) =>
    sentence`${weight} of ${total} by weight, and at least ${operators} ` +
    (operators === 1 ? 'operator' : 'operators'),
} as const

/** Of what the browser does with it. */
export const evidenceCheckTexts = {
  check: 'Check it',
  checkStory: 'Your browser checks the certificate itself, with code that is not the gateway’s.',
  checking: 'Checking…',
  checkFailed: 'It could not be checked: the code or the key did not load.',
  insecure: 'Your browser checks signatures only on pages over https.',
  verdict: {
    valid: 'The certificate is valid.',
    unsigned: 'Nothing in the certificate contradicts itself, but this gateway signs none.',
    refused: 'Do not believe this certificate.',
  } satisfies Record<string, string>,
  checks: {
    format: ['It is no certificate of version 1', 'It is a certificate of version 1'],
    signature: ['Its signature is wrong', 'Its signature is right', 'It is not signed'],
    key: [
      'The key is not the one that this gateway publishes',
      'The key is the one that this gateway publishes',
      'This gateway publishes no key to compare with',
    ],
    votes: ['The votes are not those for the result', 'The votes are those for the result'],
    quorum: ['The votes are no quorum', 'The votes are a quorum', 'It claims no quorum'],
    proof: [
      'The result does not follow from the block',
      'The result follows from the block, by the proof in the certificate',
      'It has no proof: the votes alone tell',
    ],
  } satisfies Record<CheckName, readonly string[]>,
  file: 'The certificate as JSON',
  keys: 'The key of this gateway',
  copyLink: 'Copy a link to this page',
} as const

/** Why a proven answer has no proof in its certificate. */
export const proofAbsentTexts = {
  'too-long': 'The certificate has no proof: it would be longer than a certificate may be.',
  blooms:
    'The certificate has no proof: the headers of the blocks say that there is nothing, and nothing else was read.',
  forgotten:
    'The certificate has no proof any more: it was proven for an earlier answer, and newer ones have taken its place.',
} satisfies Record<NonNullable<PublicCertificate['proofAbsent']>, string>

export function checkText({ name, state }: Check): string {
  const [failed = '', passed = '', absent = ''] = evidenceCheckTexts.checks[name]
  return { failed, passed, absent }[state]
}

/** How the operators of a certificate voted, as pages say it. */
export function standingOf(certificate: PublicCertificate) {
  const { votes, thin } = certificate
  const voters = votes.filter(({ weight }) => weight > 0)
  const operators = voters.filter(({ supports }) => supports).length
  const others = voters.filter(({ supports, vote }) => !supports && vote !== null).length
  const dissenting = isDerived(certificate) ? 0 : others
  return { operators, dissenting, unreached: thin ? Math.max(1, voters.length - operators - dissenting) : 0 }
}
