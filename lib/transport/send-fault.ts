import { SendFault } from '#rpc-proxy'

type Kind = Exclude<SendFault['kind'], 'cancelled' | 'redirect' | 'too-large'>

/** Error codes of Node, OpenSSL, c-ares and undici, and the first letters of whole families. The first match decides. */
const codes: readonly (readonly [Kind, RegExp])[] = [
  ['too-many-files', /^E[MN]FILE$/],
  ['name-not-found', /^(ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/],
  ['name-server-failed', /^(ETIMEOUT|EAI_\w+|ESERVFAIL|EREFUSED|EBADNAME|EBADRESP)$/],
  ['connection-refused', /^ECONNREFUSED$/],
  ['connect-timeout', /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/],
  ['no-route', /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EAFNOSUPPORT|EACCES|EPERM)$/],
  ['certificate-expired', /^CERT_HAS_EXPIRED$/],
  ['certificate-not-yet-valid', /^CERT_NOT_YET_VALID$/],
  ['certificate-name', /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/],
  [
    'certificate-untrusted',
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|ERROR_IN_CERT)/,
  ],
  ['no-tls', /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST)$/],
  ['tls-failed', /^(ERR_SSL_|ERR_TLS_|EPROTO$)/],
  ['proxy-failed', /^(UND_ERR_PRX_|UND_ERR_ABORTED$|UND_ERR_INVALID_ARG$|ERR_PROXY_)/],
  ['connection-reset', /^(ECONNRESET|EPIPE|ECONNABORTED)$/],
  ['connection-closed', /^UND_ERR_SOCKET$/],
  ['timeout', /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/],
  [
    'malformed',
    /^(Z_|ERR_BROTLI_|ERR__ERROR_|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_CONTENT_LENGTH_MISMATCH$)/,
  ],
  // undici's parser gives its errors no code.
  ['no-http', /^(HPE_|HTTPParserError$)/],
]

/** A failure as the engine knows it. `cause` is for debugging alone: its words may hold an address, and so a key. */
export function toSendFault(cause: unknown): SendFault {
  return cause instanceof SendFault ? cause : new SendFault(kindOf(cause, causesMax), { cause })
}

/** `fetch` wraps what the connection threw, and TLS what the socket did. */
const causesMax = 4

function kindOf(cause: unknown, depth: number): Kind {
  // No `instanceof`: an edge isolate has an `Error` of its own.
  if (typeof cause !== 'object' || cause === null || depth === 0) return 'connection'
  const code = ('code' in cause && cause.code) || ('name' in cause && cause.name)
  const known = codes.find(([, pattern]) => pattern.test(String(code)))
  if (known !== undefined) return known[0]
  return 'cause' in cause ? kindOf(cause.cause, depth - 1) : 'connection'
}
