import { expect, test } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { securityText } from '#lib/routes/security-text.ts'

const nowMs = Date.UTC(2030, 0, 1, 12)
const facts = { contact: 'mailto:security@app.example', site: null, nowMs }

test('has the contact, and expires in less than a year', () => {
  expect(securityText(facts)).toBe(
    'Contact: mailto:security@app.example\r\nExpires: 2030-04-02T00:00:00.000Z\r\nPreferred-Languages: en\r\n',
  )
})

test('has its canonical url, once the site is known', () => {
  const text = securityText({ ...facts, site: 'https://app.example' })
  expect(text).toContain('Canonical: https://app.example/.well-known/security.txt\r\n')
})

test.each(['mailto:security@app.example', 'https://app.example/report'])('%s is a contact', (contact) => {
  expect(parseEnv({ SECURITY_CONTACT: contact }).SECURITY_CONTACT).toBe(contact)
})

const wrong = [
  'security@app.example',
  'http://app.example',
  'mailto:',
  'mailto:a@b\nExpires: 1',
  'javascript:1',
]
test.each(wrong)('%j is not a contact', (contact) => {
  expect(() => parseEnv({ SECURITY_CONTACT: contact })).toThrow('SECURITY_CONTACT must be')
})
