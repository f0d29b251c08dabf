import {
  type Address,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  isErc6492Signature,
  parseErc6492Signature,
} from 'viem'
import { parseJson } from '../parse-json.ts'

/** Posts a JSON-RPC text to a chain; answers need the agreement of more than half of all weight. Empty when nothing answers. */
export type ProtectedCall = (chainId: number, body: string) => Promise<string>

interface ContractClaim {
  readonly address: Address
  readonly chainId: number
  readonly digest: Hex
  readonly signature: Hex
}

/**
 * Asks a contract wallet whether a signature is valid: ERC-1271, and ERC-6492 for a wallet that is not deployed yet.
 *
 * Both calls read the same agreed block, and more than half of all weight must give the same answers. An account without
 * code is never valid here: only its key can sign for it, whatever nodes say. An account with EIP-7702 code is
 * asked like any contract, because its owner chose that code. `unknown`: there is no majority, or no reply that says so.
 */
export async function verifyByContract(
  { address, chainId, digest, signature }: ContractClaim,
  call: ProtectedCall,
): Promise<'valid' | 'invalid' | 'unknown'> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, digest, signature],
  })
  const batch = [
    { jsonrpc: '2.0', id: 0, method: 'eth_getCode', params: [address, 'latest'] },
    { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data }, 'latest'] },
  ]
  const replies = parse(await call(chainId, JSON.stringify(batch)))
  const [code, verdictReply] = [0, 1].map((id) => replies.find((reply) => reply.id === id))
  if (!isByMajority(code) || !isByMajority(verdictReply) || typeof code.result !== 'string') return 'unknown'
  const [isDeployed, isWrapped] = [code.result !== '0x', isErc6492Signature(signature)]
  if (!isDeployed && !isWrapped) return 'invalid'
  if (isDeployed && isWrapped) {
    // The deployment call in the signature must not run: its effects have not happened on the chain.
    const inner = innerOf(signature)
    return inner === null ? 'invalid' : verifyByContract({ address, chainId, digest, signature: inner }, call)
  }
  if (verdictReply.result === '0x01') return 'valid'
  // An agreed revert is an answer; a missing quorum is not.
  return verdictReply.result !== undefined || verdictReply.error?.code === revertCode ? 'invalid' : 'unknown'
}

/** The signature inside an ERC-6492 wrapper of factory, call and signature; null when it is malformed or nested. */
function innerOf(signature: Hex): Hex | null {
  try {
    const { signature: inner } = parseErc6492Signature(signature)
    return isErc6492Signature(inner) ? null : inner
  } catch {
    return null
  }
}

/** Checked because a gateway that does not know the header of protected calls answers with its ordinary quorum. */
export function isByMajority(reply: Reply | undefined): reply is Reply {
  const { agreed, needed, total } = reply?.quorate ?? {}
  if (agreed === undefined || needed === undefined || total === undefined) return false
  return needed * 2 > total && agreed >= needed
}

/** geth's code for "execution reverted", which other clients follow. */
const revertCode = 3

interface Reply {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown }
  /** The agreement behind the reply, which we asked the gateway to explain. */
  readonly quorate?: { readonly agreed?: number; readonly needed?: number; readonly total?: number }
}

function parse(text: string): readonly Reply[] {
  const value = parseJson(text)
  return Array.isArray(value) ? value : []
}
