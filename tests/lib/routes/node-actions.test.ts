import { expect, test } from 'vitest'
import { actOnNode } from '#lib/routes/node-actions.ts'
import { hostRequest } from '../../support/host-request.ts'

const headers = { 'content-type': 'application/json' }
const cordonBy = (by: string) => {
  const text = JSON.stringify({ action: 'cordon', by })
  return actOnNode(hostRequest({ headers, text }), ['1', 'a'], () => true, undefined)
}

test.each(["Sinéad O'Neil", 'Zoe\u0308', 'ana+ops@example.org', 'Ana (on call)'])(
  'a node is cordoned by an operator named %s',
  async (name) => expect((await cordonBy(name)).status).toBe(200),
)

test.each(['a'.repeat(65), '<b>', 'two\nlines'])(
  'the name %j is refused with an error that names the field',
  async (name) =>
    expect(await cordonBy(name)).toMatchObject({ status: 400, body: expect.stringContaining('by must be') }),
)
