/**
 * What a result is made of: decides how two results are compared and what is returned. The bodies of each are in
 * canonical.ts.
 */
export type Shape =
  | 'quantity'
  | 'data'
  | 'json'
  | 'block'
  | 'uncle'
  | 'transaction'
  | 'receipt'
  | 'receipts'
  | 'logs'
  | 'proof'
  | 'fee-history'
  | 'access-list'
  | 'call'
  | 'storage'
  | 'simulation'
