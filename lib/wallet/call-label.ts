import { type Abi, checksumAddress, decodeFunctionData, getAbiItem, type Hex } from 'viem'

/** A call as its ABI names it. */
export interface CallLabel {
  readonly name: string
  readonly args: readonly CallArgument[]
}

export interface CallArgument {
  /** The name of the parameter, else its position. */
  readonly name: string
  readonly type: string
  readonly text: string
}

/** Decodes the bytes that are signed, not the arguments that a page claims they have. Null where the ABI does not fit. */
export function labelCall(abi: Abi, data: Hex): CallLabel | null {
  try {
    const item = getAbiItem({ abi, name: data.slice(0, 10) as Hex })
    if (item?.type !== 'function') return null
    const { functionName, args = [] } = decodeFunctionData({ abi: [item], data })
    const values = args as readonly unknown[]
    return {
      name: functionName,
      args: item.inputs.map(({ name, type }, index) => ({
        name: name || `${index + 1}`,
        type,
        text: textOf(values[index], type),
      })),
    }
  } catch {
    return null
  }
}

/** Numbers in full, addresses with their checksum, all else as JSON. Invisible characters are written as escapes. */
export function textOf(value: unknown, type: string): string {
  if (type === 'address') return checksumAddress(value as Hex)
  if (typeof value === 'bigint' || (typeof value === 'string' && type !== 'string')) return `${value}`
  return visibleText(
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)),
  )
}

/** With invisible characters as escapes: with them a text could pretend to be another one. */
export function visibleText(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
