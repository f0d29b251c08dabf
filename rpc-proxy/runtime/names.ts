/** Begins every header, metric and cookie name of ours. A fork renames the product here. */
export const prefix = 'quorate'

/**
 * Names of the headers that we read or write, in lower case.
 *
 * @example
 * response.headers.get(header.agreement) // '2/1.5/3': agreed, needed and total weight
 */
export const header = {
  certificate: `x-${prefix}-answer`,
  agreement: `x-${prefix}-agreement`,
  block: `x-${prefix}-block`,
  cache: `x-${prefix}-cache`,
  pending: `x-${prefix}-pending`,
  explain: `x-${prefix}-explain`,
  units: `x-${prefix}-units`,
  thin: `x-${prefix}-thin`,
  protect: `x-${prefix}-protect`,
  /** The key of a caller; hosts put one of a path here. */
  key: `x-${prefix}-key`,
} as const
