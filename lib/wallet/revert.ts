import { type Abi, decodeErrorResult, type Hex, parseAbi } from 'viem'
import { textOf } from './call-label.ts'

/** Of ERC-6093 and OpenZeppelin: errors of contracts that the page has no ABI of. */
const commonErrors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error SafeERC20FailedOperation(address token)',
  'error OwnableUnauthorizedAccount(address account)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error EnforcedPause()',
])

const depthMax = 4
/** A contract chooses what it reverts with. */
const charactersMax = 300

/**
 * What a call reverted with: the sentence of `require`, or a custom error with its arguments. A contract may pass on the error of another
 * one, also as bytes in its own: all of `abis` are tried. Null where none knows it.
 */
export function describeRevert(data: Hex, abis: readonly Abi[]): string | null {
  const text = errorText(data, [...abis, commonErrors], 0)
  return text !== null && text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}

function errorText(data: Hex, abis: readonly Abi[], depth: number): string | null {
  for (const abi of depth < depthMax ? abis : [])
    try {
      const { abiItem, errorName, args = [] } = decodeErrorResult({ abi, data })
      const values = args as readonly unknown[]
      if (errorName === 'Error') return textOf(values[0], 'string')
      const inputs = 'inputs' in abiItem ? (abiItem.inputs ?? []) : []
      const texts = inputs.map(({ name, type }, index) => {
        const value = values[index]
        const inner = type === 'bytes' ? errorText(value as Hex, abis, depth + 1) : null
        return `${name ? `${name} ` : ''}${inner ?? textOf(value, type)}`
      })
      return `${errorName}(${texts.join(', ')})`
    } catch {}
  return null
}
