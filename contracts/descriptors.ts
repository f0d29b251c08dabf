/**
 * What a review says of calls, in the JSON of ERC-7730, by the names of `deployments.ts`; under any other name of the addresses that a
 * descriptor lists itself. docs/build/pages.md has an example.
 */
export const descriptors = {}
