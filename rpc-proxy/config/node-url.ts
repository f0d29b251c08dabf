import { isWeb } from './fields.ts'

export type Variables = Readonly<Record<string, string | undefined>>

type Report = (fault: string) => void

/**
 * Puts the environment into `${NAME}`; null, with its faults reported, where that cannot be done. Values are not looked into again.
 * `place` is told where a reference stands.
 */
export function fillIn(
  template: string,
  env: Variables,
  report: Report,
  place = (value: string, _index: number) => value,
): string | null {
  let whole = true
  const refuse = (fault: string) => {
    whole = false
    report(fault)
    return ''
  }
  const text = template.replace(/\$\{([^}]*)\}?/g, (reference: string, name: string, index: number) => {
    if (!reference.endsWith('}') || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      return refuse('invalid reference to the environment; must be a name in braces after a dollar sign')
    return Object.hasOwn(env, name) && env[name]
      ? place(env[name], index)
      : refuse(`environment variable ${name} is ${Object.hasOwn(env, name) ? 'empty' : 'not set'}`)
  })
  return whole ? text : null
}

/**
 * The same for a node's url, where no value may decide which host is asked unless it stands in the host's place: in
 * `https://user:${PASSWORD}@rpc.example` a password of `8545/secret` would otherwise name the host `user:8545`. A value of the user
 * info is percent-encoded as far as it would end it; what is encoded already stays.
 */
export function fillInUrl(template: string, env: Variables, report: Report): string | null {
  const [origin = ''] = originForm.exec(template) ?? []
  const userInfoEnd = origin.lastIndexOf('@')
  const encoded = (value: string, index: number) =>
    index < userInfoEnd ? value.replace(unsafeInUserInfo, encodeURIComponent) : value
  const text = fillIn(template, env, report, encoded)
  if (text === null) return null

  const isHost = (index: number) => index > userInfoEnd && index < origin.length
  const sample = fillIn(
    template,
    env,
    () => {},
    (value, index) => (isHost(index) ? value : 'x'),
  )
  if (originOf(text) === originOf(sample ?? '')) return text
  report('a variable of the environment changes the host of the url; percent-encode its value')
  return null
}

const unsafeInUserInfo = /[/\\?#@\t\n\r]|%(?![0-9a-f]{2})/gi

/** Scheme, user info, host and port of a template, as far as they are written out before the path. */
const originForm = /^(?:[^/\\?#]*:[/\\]{2,})?[^/\\?#]*/

/** Scheme, host and port; null where there is none. */
function originOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).origin : null
}

/** A node's url without its user info, which becomes a Basic authorization: fetch refuses urls that carry credentials. */
export function parseAddress(text: string): { url: string; authorization: string | undefined } | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (!isWeb(url) || url.hash !== '') return null
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url: text, authorization: undefined }
  try {
    const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
    return { url: url.href, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
  } catch {
    return null
  }
}
