import type { AccountSlots, ProvenAccount, ProvenState } from '../methods/proves.ts'
import { address, bytesAtMost, itemsOf, objectOf, quantity, word } from '../wire/codecs.ts'
import { emptyRoot } from '../wire/header-hash.ts'
import { digestOf, type RlpItem, readRlp } from '../wire/rlp.ts'
import { fail, pathOf, type Verified, verifying, walkTrie } from './trie-walk.ts'

/** What was asked for. */
interface Question extends AccountSlots {
  readonly stateRoot: string
}

/** Checks a reply of eth_getProof against the state root of the agreed block. What the node says beside its proof is not read. */
export function verifyProof(reply: unknown, question: Question): Verified<ProvenState> {
  return verifying(() => {
    const sent = objectOf(reply)
    if (address.read(sent.address) !== question.address) fail('wrong-address')
    const leaf = walkTrie(question.stateRoot, pathOf(question.address), sent.accountProof)
    const account = leaf === null ? null : readAccount(leaf)
    return { account, slots: readSlots(sent, question.slots, account?.storageHash ?? emptyRoot) }
  })
}

/** More than any chain takes (EIP-7907). */
const codeCodec = bytesAtMost(262_144)

/** Checks a code against the code hash of a proven account. */
export function verifyCode(code: unknown, codeHash: string): Verified<string> {
  return verifying(() => {
    const read = codeCodec.read(code)
    return digestOf(read) === codeHash ? read : fail('wrong-code')
  })
}

function readAccount(leaf: string): ProvenAccount {
  const item = readRlp(leaf)
  if (typeof item === 'string' || item.length !== 4) return fail('bad-value')
  const [nonce, balance, storageHash, codeHash] = item as readonly [RlpItem, RlpItem, RlpItem, RlpItem]
  return {
    nonce: numberIn(nonce, 8),
    balance: numberIn(balance, 32),
    storageHash: hashIn(storageHash),
    codeHash: hashIn(codeHash),
  }
}

function numberIn(item: RlpItem, bytesMax: number): string {
  if (typeof item !== 'string' || item.length > 2 + 2 * bytesMax || item.startsWith('0x00'))
    return fail('bad-value')
  return item === '0x' ? '0x0' : quantity.read(item)
}

function hashIn(item: RlpItem): string {
  return typeof item === 'string' && item.length === 66 ? item : fail('bad-value')
}

function readSlots(
  sent: Readonly<Record<string, unknown>>,
  slots: readonly string[],
  storageHash: string,
): readonly string[] {
  const proofs = itemsOf(sent.storageProof).map(objectOf)
  if (proofs.length !== slots.length) fail('wrong-slots')
  return slots.map((slot, index) => {
    const { key, proof } = proofs[index] ?? fail('wrong-slots')
    if (word.read(key) !== slot) fail('wrong-slots')
    const leaf = walkTrie(storageHash, pathOf(slot), proof)
    return leaf === null ? '0x0' : readSlot(leaf)
  })
}

/** A slot that is zero has no leaf. */
function readSlot(leaf: string): string {
  const value = numberIn(readRlp(leaf), 32)
  return value === '0x0' ? fail('bad-value') : value
}
