import { type UnusedSkipTokenOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

interface QueryProps<Data, Key extends readonly unknown[]> {
  readonly query: UnusedSkipTokenOptions<Data, Error, Data, Key>
  /** In place of what is not read yet. */
  readonly placeholder: NoInfer<Data>
  readonly children: (data: Data, isStreamed: boolean) => React.ReactNode
}

/**
 * Shows what the server read, then what the browser polls. Only what the server streams after the first HTML, as `isLate` says, has a
 * boundary, because React hydrates each boundary in a commit of its own.
 */
export function LateQuery<Data, Key extends readonly unknown[]>({
  isLate,
  ...props
}: QueryProps<Data, Key> & { readonly isLate: boolean }) {
  // Decided once: with another parent the content would be mounted again.
  const [isStreamed] = useState(isLate)
  if (!isStreamed) return <Polled {...props} />
  return (
    <Suspense fallback={props.children(props.placeholder, true)}>
      <Streamed {...props} />
    </Suspense>
  )
}

function Polled<Data, Key extends readonly unknown[]>({
  query,
  placeholder,
  children,
}: QueryProps<Data, Key>) {
  const { data = placeholder } = useQuery(query)
  return children(data, false)
}

function Streamed<Data, Key extends readonly unknown[]>({ query, children }: QueryProps<Data, Key>) {
  return children(useSuspenseQuery(query).data, false)
}
