/** An EIP-1193 error with a code. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}

export const rejected = () => new RpcError(4001, 'User rejected the request.')
export const unauthorised = () => new RpcError(4100, 'The site has not been given the account.')
export const unsupported = (method: string) => new RpcError(4200, `The demo wallet does not do ${method}.`)
export const unknownChain = (chainId: number) => new RpcError(4902, `Unrecognized chain ID ${chainId}.`)
export const duplicateId = () => new RpcError(5720, 'There are calls with this id already.')
export const unknownId = () => new RpcError(5730, 'There are no calls with this id.')
export const busy = () => new RpcError(-32002, 'A request is already pending. Please wait.')
