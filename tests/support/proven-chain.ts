import { type Hex, keccak256, pad, toHex, toRlp, trim } from 'viem'
import { type Account, honestReply, stateRootOf, storageRootOf } from './build-trie.ts'
import { type State, stateOf } from './random-state.ts'
import { fails, type ReceivedCall, type Reply, says } from './replies.ts'
import { blockAt, hex } from './scripted-chain.ts'

export const code: Hex = '0x6001600155'

const slots = [1, 2, 3, 4].map((slot) => [pad(toHex(slot)), BigInt(slot) * 7n] as const)
/** A contract with code and storage. */
export const contract: Account = {
  address: `0x${'c0'.repeat(20)}`,
  nonce: 1n,
  balance: 10n ** 18n,
  codeHash: keccak256(code),
  slots,
  storageHash: storageRootOf(slots),
}
export const nobodyThere: Hex = `0x${'d0'.repeat(20)}`

const others = stateOf(2).accounts
export const stateWith = (account: Account): State => {
  const accounts = [...others, account]
  return { accounts, stateRoot: stateRootOf(accounts) }
}
export const truth = stateWith(contract)
/** The same, but that the contract is richer and holds other values. */
const lyingSlots = slots.map(([slot, value]) => [slot, value + 1n] as const)
export const lie = stateWith({
  ...contract,
  balance: 5n * 10n ** 18n,
  nonce: 9n,
  slots: lyingSlots,
  storageHash: storageRootOf(lyingSlots),
})

const numbers = 'difficulty number gasLimit gasUsed timestamp baseFeePerGas'.split(' ')
/** In the order of the encoding. */
const fields = [
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom',
  'difficulty number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas',
].flatMap((names) => names.split(' '))

/** The hash of a header, by an encoder of its own. */
export function headerHashOf(block: Readonly<Record<string, unknown>>): Hex {
  const items = fields.map((name): Hex => {
    const value = block[name] as Hex
    if (!numbers.includes(name)) return value
    return BigInt(value) === 0n ? '0x' : trim(value.length % 2 === 0 ? value : `0x0${value.slice(2)}`)
  })
  return keccak256(toRlp(items))
}

type ProvenBlock = ReturnType<typeof blockAt> & { readonly stateRoot: Hex; readonly hash: Hex }

const first = 990
/** By state root, from `first` on. */
const chains = new Map<Hex, ProvenBlock[]>()

/** A block that hashes to its hash, on parents that do. */
export function provenBlockAt(number: number, { stateRoot }: Pick<State, 'stateRoot'> = truth): ProvenBlock {
  const blocks = chains.get(stateRoot) ?? []
  chains.set(stateRoot, blocks)
  if (number < first) return { ...blockAt(number), stateRoot, hash: pad(toHex(number)) }
  while (blocks.length <= number - first) {
    const block = {
      ...blockAt(first + blocks.length),
      parentHash: blocks.at(-1)?.hash ?? pad('0x01'),
      stateRoot,
    }
    blocks.push({ ...block, hash: headerHashOf(block) })
  }
  return blocks[number - first] as ProvenBlock
}

/** Proofs are the same at each block, and take long to make. */
const proofs = new Map<string, ReturnType<typeof honestReply>>()

function proofIn({ accounts, stateRoot }: State, address: Hex, slots: readonly Hex[]) {
  const key = `${stateRoot}${address}${slots}`
  const proof = proofs.get(key) ?? honestReply(accounts, address, slots)
  proofs.set(key, proof)
  return proof
}

/** What a node of this state says of a call; `head` is its latest block. */
export function repliesOf(state: State, { head = 1000, root = state } = {}): Record<string, Reply> {
  const accountOf = (address: unknown) => state.accounts.find((each) => each.address === address)
  const of =
    (read: (account: Account | undefined, params: readonly unknown[]) => unknown): Reply =>
    (received) =>
      says(read(accountOf(received.params[0]), received.params))(received)
  return {
    eth_getBlockByNumber(received: ReceivedCall) {
      const [block] = received.params
      const number = block === 'latest' ? head : Number(block)
      return says(Number.isNaN(number) || number > head ? null : provenBlockAt(number, root))(received)
    },
    eth_getBalance: of((account) => hex(Number(account?.balance ?? 0n))),
    eth_getTransactionCount: of((account) => hex(Number(account?.nonce ?? 0n))),
    eth_getCode: of((account) => (account === undefined ? '0x' : code)),
    eth_getStorageAt: of((account, [, slot]) =>
      pad(toHex(account?.slots.find(([key]) => key === slot)?.[1] ?? 0n)),
    ),
    eth_getProof: (received) =>
      says(proofIn(state, received.params[0] as Hex, received.params[1] as readonly Hex[]))(received),
  }
}

export const noProofs = fails(-32601, 'the method eth_getProof does not exist/is not available')
