import { CallError, type GatewayRequest } from '#rpc-proxy'
import { closedHeaders } from './response-headers.ts'

/** A request from either host: what the engine needs, plus what our own routes need. */
export interface HostRequest extends GatewayRequest {
  /** Without the question mark. */
  readonly query: string
  /** Whether the visitor uses https, as far as we can tell. */
  readonly secure: boolean
}

type HeaderValues = Readonly<Record<string, string>>

export interface HostResponse {
  readonly status: number
  readonly headers: HeaderValues
  /** Empty with 204. */
  readonly body: string | ReadableStream<Uint8Array>
}

export interface TextResponse extends HostResponse {
  readonly body: string
}

/** Up to this size an answer is never compressed: it fits into one packet either way. */
export const plainBytesMax = 1000

/** JSON for our own routes; errors are `{ "error": sentence }`. */
export function json(status: number, value: unknown, headers: HeaderValues = {}): TextResponse {
  return {
    status,
    headers: { ...closedHeaders, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  }
}

export function refuse(status: number, sentence: string, headers: HeaderValues = {}): TextResponse {
  return json(status, { error: sentence }, headers)
}

export function noContent(headers: HeaderValues = {}): HostResponse {
  return { status: 204, headers, body: '' }
}

/** The media type of a request's body, in lower case and without parameters. */
export function contentTypeOf({ header }: HostRequest): string {
  return (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** The text of a request's body, or the refusal to answer with. */
export async function textOf(
  request: HostRequest,
  { bytesMax, msMax }: { readonly bytesMax: number; readonly msMax: number },
): Promise<string | HostResponse> {
  const body = await request.body(bytesMax, msMax)
  if (!('fault' in body)) return body.text
  return refuse(body.fault === 'too-large' ? 413 : 400, 'unreadable body')
}

/** Sent instead of an answer when its caller has too many unread. */
export const unread: HostResponse = json(
  503,
  { jsonrpc: '2.0', id: null, error: new CallError('overloaded').error },
  { 'retry-after': '5', 'cache-control': 'no-store' },
)

/**
 * All values of a cookie in a `Cookie` header, in order: a browser may have several of one name. Only spaces and tabs are skipped
 * before a name. With other white space the browser does not recognize, and protect, a `__Host-` name.
 */
export function cookieValues(header: string, name: string): string[] {
  return header.split(/;[ \t]*/).flatMap((part) => {
    const at = part.indexOf('=')
    return at !== -1 && part.slice(0, at) === name ? [part.slice(at + 1)] : []
  })
}

/** Browsers accept `__Host-` cookies only over https and only from the host itself. */
export function hostCookieName(name: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}${name}`
}

export interface CookieOptions {
  readonly maxAgeS: number
  readonly secure: boolean
  readonly sameSite: 'Strict' | 'Lax'
}

/** `Set-Cookie` with HttpOnly. */
export function httpOnlyCookie(
  name: string,
  value: string,
  { maxAgeS, secure, sameSite }: CookieOptions,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
  return `${hostCookieName(name, secure)}=${value}; ${attributes}`
}

/** A part of a url as it is meant; null where it is no UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
