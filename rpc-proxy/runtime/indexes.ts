declare const kind: unique symbol

/** A position in a list, told apart from positions in other lists by the compiler. */
type Index<Kind extends string> = number & { readonly [kind]: Kind }

/** Position of a node in its chain's configuration. */
export type NodeIndex = Index<'node'>
/** Position of a member in its round. */
export type MemberIndex = Index<'member'>
/** Position of an operator in its electorate. */
export type OperatorIndex = Index<'operator'>
/** Position of a group in its tally. */
export type GroupIndex = Index<'group'>

/** The positions of a list, in order. */
export function indexesOf<Kind extends NodeIndex | MemberIndex | OperatorIndex>(
  list: readonly unknown[],
): readonly Kind[] {
  return list.map((_, index) => index as Kind)
}
