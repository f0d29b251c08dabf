import type { HostRequest } from '#lib/http.ts'

/** A request as a host passes it in. Header names are in lower case. */
export function hostRequest({
  headers = {},
  text = '',
  ...rest
}: Partial<Omit<HostRequest, 'header'>> & {
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
} = {}): HostRequest {
  return {
    method: 'GET',
    path: '/api/rpc/ready',
    query: '',
    header: (name) => headers[name] ?? null,
    body: async () => ({ text }),
    caller: null,
    origin: null,
    secure: false,
    signal: new AbortController().signal,
    ...rest,
  }
}
