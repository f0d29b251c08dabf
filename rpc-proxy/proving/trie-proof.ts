import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { AccountSlots, ProvenAccount, ProvenState } from '../methods/proves.ts'
import { address, bytesAtMost, type Codec, hash, itemsOf, objectOf, quantity, word } from '../wire/codecs.ts'
import { emptyRoot } from '../wire/header-hash.ts'
import { type Item, readRlp } from '../wire/read-rlp.ts'
import { keccak, pathOf, walkTrie } from './trie-walk.ts'
import { fail, type Verified, verifying } from './verified.ts'

/** What was asked for. */
interface Question extends AccountSlots {
  readonly stateRoot: string
}

/** Checks a reply of eth_getProof against the state root of the agreed block. Nothing is returned that only the node says. */
export function verifyProof(reply: unknown, question: Question): Verified<ProvenState> {
  return verifying(() => {
    const sent = objectOf(reply)
    if (address.read(sent.address, nowhere) !== question.address) fail('wrong-address')
    const leaf = walkTrie(question.stateRoot, pathOf(question.address), sent.accountProof)
    const account = leaf === null ? null : readAccount(leaf)
    checkClaims(sent, account)
    return { account, slots: readSlots(sent, question.slots, account?.storageHash ?? emptyRoot) }
  })
}

/** More than any chain takes (EIP-7907). */
const codeCodec = bytesAtMost(262_144)

/** Checks a code against the code hash of a proven account. */
export function verifyCode(code: unknown, codeHash: string): Verified<string> {
  return verifying(() => {
    const read = codeCodec.read(code, nowhere) as string
    return keccak(hexToBytes(read.slice(2))) === codeHash ? read : fail('wrong-code')
  })
}

const nowhere = { chainId: 0 }
/** The hash of no code. */
export const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const zeros = `0x${'0'.repeat(64)}`

function readAccount(leaf: Uint8Array): ProvenAccount {
  const item = readRlp(leaf)
  if (item.kind !== 'list' || item.items.length !== 4) return fail('bad-value')
  const [nonce, balance, storageHash, codeHash] = item.items as readonly [Item, Item, Item, Item]
  return {
    nonce: numberIn(nonce, 8),
    balance: numberIn(balance, 32),
    storageHash: hashIn(storageHash),
    codeHash: hashIn(codeHash),
  }
}

function numberIn(item: Item, bytesMax: number): string {
  if (item.kind !== 'bytes' || item.bytes.length > bytesMax || item.bytes[0] === 0) return fail('bad-value')
  return item.bytes.length === 0 ? '0x0' : (quantity.read(`0x${bytesToHex(item.bytes)}`, nowhere) as string)
}

function hashIn(item: Item): string {
  return item.kind === 'bytes' && item.bytes.length === 32 ? `0x${bytesToHex(item.bytes)}` : fail('bad-value')
}

/** A node whose own words differ from its proof is wrong in one of the two. */
function checkClaims(sent: Readonly<Record<string, unknown>>, account: ProvenAccount | null): void {
  checkClaim(quantity, sent.nonce, [account?.nonce ?? '0x0'])
  checkClaim(quantity, sent.balance, [account?.balance ?? '0x0'])
  // Of no account, some clients say the hashes of nothing and some zeros.
  checkClaim(hash, sent.storageHash, account === null ? [zeros, emptyRoot] : [account.storageHash])
  checkClaim(hash, sent.codeHash, account === null ? [zeros, emptyCode] : [account.codeHash])
}

function checkClaim(codec: Codec, sent: unknown, proven: readonly string[]): void {
  if (!proven.includes(codec.read(sent, nowhere) as string)) fail('wrong-claim')
}

function readSlots(
  sent: Readonly<Record<string, unknown>>,
  slots: readonly string[],
  storageHash: string,
): readonly string[] {
  const proofs = itemsOf(sent.storageProof).map(objectOf)
  if (proofs.length !== slots.length) fail('wrong-slots')
  return slots.map((slot, index) => {
    const { key, value, proof } = proofs[index] ?? fail('wrong-slots')
    if (word.read(key, nowhere) !== slot) fail('wrong-slots')
    const leaf = walkTrie(storageHash, pathOf(slot), proof)
    const proven = leaf === null ? '0x0' : readSlot(leaf)
    checkClaim(quantity, value, [proven])
    return proven
  })
}

/** A slot that is zero has no leaf. */
function readSlot(leaf: Uint8Array): string {
  const value = numberIn(readRlp(leaf), 32)
  return value === '0x0' ? fail('bad-value') : value
}
