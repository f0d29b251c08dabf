import { describe, expect, test } from 'vitest'
import { base } from '#lib/public-names.ts'
import { type PageFacts, pageHeaders, pagePolicy, reportPath } from '#lib/response-headers.ts'

const facts: PageFacts = {
  path: '/',
  nonce: 'bm9uY2U=',
  secure: true,
  dev: false,
  demo: false,
  walletConnect: false,
  gateway: null,
}
const directive = (name: string, more: Partial<PageFacts> = {}) =>
  pagePolicy({ ...facts, ...more })
    .split('; ')
    .find((each) => each.startsWith(`${name} `))
    ?.slice(name.length + 1)

describe('the policy of a page', () => {
  test('allows nothing by default', () => {
    expect(directive('default-src')).toBe("'none'")
    expect(directive('object-src')).toBe("'none'")
    expect(directive('base-uri')).toBe("'none'")
    expect(directive('form-action')).toBe("'self'")
  })

  test('runs scripts with the nonce and those they load, but no inline code', () => {
    expect(directive('script-src')).toBe("'self' 'nonce-bm9uY2U=' 'strict-dynamic'")
    expect(directive('style-src-elem')).toBe("'self' 'nonce-bm9uY2U='")
    expect(directive('require-trusted-types-for')).toBe("'script'")
  })

  test('allows eval for React only under next dev', () => {
    expect(directive('script-src', { dev: true })).toContain("'unsafe-eval'")
    expect(pagePolicy(facts)).not.toContain('unsafe-eval')
    expect(pagePolicy({ ...facts, dev: true })).not.toContain('trusted-types')
  })

  test('lists no WalletConnect host without a project id, and no wallet host in the demo', () => {
    expect(pagePolicy(facts)).not.toContain('walletconnect')
    expect(directive('frame-src')).toBe("'none'")
    expect(directive('connect-src', { demo: true, walletConnect: true })).toBe("'self'")
    expect(directive('connect-src', { walletConnect: true })).toContain('wss://relay.walletconnect.org')
    expect(directive('frame-src', { walletConnect: true })).toBe(
      'https://verify.walletconnect.org https://verify.walletconnect.com',
    )
  })

  test('lists single hosts: no wildcard, no whole scheme, no telemetry', () => {
    const asked = directive('connect-src', { walletConnect: true })?.split(' ') ?? []
    expect(asked.length).toBeGreaterThan(3)
    for (const source of asked) expect(source).toMatch(/^'self'$|^(?:https|wss):\/\/[a-z0-9.-]+$/)
    expect(asked.join()).not.toMatch(/pulse|cca-lite|analytics|as\.coinbase/)
  })

  test('allows a remote gateway by its origin only', () => {
    const asked = directive('connect-src', { demo: true, gateway: 'https://gateway.example/base' })
    expect(asked).toBe("'self' https://gateway.example")
  })

  test('reports to a path below the gateway', () => {
    expect(reportPath.startsWith(`${base}/`)).toBe(true)
    expect(directive('report-uri')).toBe(reportPath)
    expect(directive('report-to')).toBe('csp')
    expect(pageHeaders(facts)['reporting-endpoints']).toBe(`csp="${reportPath}"`)
  })

  test('uses the older report-uri without https, because browsers ignore it next to report-to', () => {
    expect(directive('report-uri', { secure: false })).toBe(reportPath)
    expect(directive('report-to', { secure: false })).toBe(undefined)
    expect(pageHeaders({ ...facts, secure: false })).not.toHaveProperty('reporting-endpoints')
  })
})
