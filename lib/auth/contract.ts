import {
  type Address,
  decodeAbiParameters,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
} from 'viem'
import { parseJson } from '../json.ts'

/** Posts a JSON-RPC text to a chain, with every answer agreed by more than half of its nodes' weight; empty where nobody answers. */
export type AskMajority = (chainId: number, body: string) => Promise<string>

/** `unknown`: there is no majority now, or it is not known whether there is. */
export type ContractVerdict = 'valid' | 'invalid' | 'unknown'

interface ContractClaim {
  readonly address: Address
  readonly chainId: number
  readonly digest: Hex
  readonly signature: Hex
}

/**
 * Asks a contract wallet whether it takes a signature as its own: ERC-1271, and ERC-6492 for one that is not deployed yet.
 *
 * Both questions are put at one agreed block, and more than half of all weight must give the same answers. An account without
 * code is never verified here: what its key has not signed, no node can make valid. An account with code by EIP-7702 is
 * asked like any contract, for its owner has chosen that code.
 */
export async function verifyByContract(
  { address, chainId, digest, signature }: ContractClaim,
  ask: AskMajority,
): Promise<ContractVerdict> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, digest, signature],
  })
  const batch = [
    { jsonrpc: '2.0', id: 0, method: 'eth_getCode', params: [address, 'latest'] },
    { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data }, 'latest'] },
  ]
  const replies = parse(await ask(chainId, JSON.stringify(batch)))
  const [code, said] = [0, 1].map((id) => replies.find((reply) => reply.id === id))
  if (!isByMajority(code) || !isByMajority(said) || typeof code.result !== 'string') return 'unknown'
  const [isDeployed, isWrapped] = [code.result !== '0x', isCounterfactual(signature)]
  if (!isDeployed && !isWrapped) return 'invalid'
  if (isDeployed && isWrapped) {
    // The call that the signature brings is left out: whatever it would change on the chain has not happened.
    const inner = innerOf(signature)
    return inner === null ? 'invalid' : verifyByContract({ address, chainId, digest, signature: inner }, ask)
  }
  if (said.result === '0x01') return 'valid'
  // A quorum's word that the call reverts is an answer; that there is no quorum is none.
  return said.result !== undefined || said.error?.code === revertCode ? 'invalid' : 'unknown'
}

/** Signatures of wallets that are not deployed yet end so (ERC-6492). */
export const counterfactualMark = '6492'.repeat(16)

const isCounterfactual = (signature: Hex) => signature.endsWith(counterfactualMark)

/** What a deployed wallet is asked about: the last of factory, call and signature. Null where it is no such thing. */
function innerOf(signature: Hex): Hex | null {
  const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  try {
    const [, , inner] = decodeAbiParameters(parts, signature)
    return isCounterfactual(inner) ? null : inner
  } catch {
    return null
  }
}

/** A gateway that does not know the header for a majority answers with its ordinary quorum, and says so: that is no majority. */
function isByMajority(reply: Reply | undefined): reply is Reply {
  const { agreed, needed, total } = reply?.quorate ?? {}
  if (agreed === undefined || needed === undefined || total === undefined) return false
  return needed * 2 > total && agreed >= needed
}

/** EIP-1474 calls it "execution reverted". */
const revertCode = 3

interface Reply {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown }
  /** What the reply rests on: the gateway was asked to explain. */
  readonly quorate?: { readonly agreed?: number; readonly needed?: number; readonly total?: number }
}

function parse(text: string): readonly Reply[] {
  const value = parseJson(text)
  return Array.isArray(value) ? value : []
}
