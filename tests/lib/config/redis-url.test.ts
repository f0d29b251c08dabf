import { expect, test } from 'vitest'
import { parseRedisUrl, secretsOfRedisUrl } from '#lib/config/redis-url.ts'

const plain = { isTls: false, database: 0, username: null, password: null }
const sentinels = { master: 'main', username: null, password: null }

test.each([
  ['redis://redis:6379', { ...plain, at: { host: 'redis', port: 6379 } }],
  ['redis://redis', { ...plain, at: { host: 'redis', port: 6379 } }],
  ['rediss://[::1]:7/3', { ...plain, isTls: true, database: 3, at: { host: '::1', port: 7 } }],
  ['redis://:secret@redis/', { ...plain, password: 'secret', at: { host: 'redis', port: 6379 } }],
  [
    'redis://ana:p%40ss%2F@10.0.0.1:1',
    { ...plain, username: 'ana', password: 'p@ss/', at: { host: '10.0.0.1', port: 1 } },
  ],
  [
    'redis+sentinel://a,b:7,[::1]/main',
    {
      ...plain,
      at: {
        ...sentinels,
        addresses: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 7 },
          { host: '::1', port: 26379 },
        ],
      },
    },
  ],
  [
    'rediss+sentinel://ana:one@a:1/main/2?username=watcher&password=two',
    {
      ...{ isTls: true, database: 2, username: 'ana', password: 'one' },
      at: { master: 'main', username: 'watcher', password: 'two', addresses: [{ host: 'a', port: 1 }] },
    },
  ],
])('%s is read', (text, target) => {
  expect(parseRedisUrl(text)).toEqual(target)
})

test.each([
  'redis:6379',
  'http://redis',
  'redis://',
  'redis://a,b',
  'redis://a:123456',
  'redis://a/main',
  'redis://a/0/1',
  'redis+sentinel://a',
  'redis+sentinel://a/',
  'redis+sentinel://a,/main',
  'redis+sentinel://a/main/x',
  'redis://a b',
])('%s is none', (text) => {
  expect(parseRedisUrl(text)).toBe(null)
})

test('no user or password of Redis or its sentinels is seen in a log, in whichever way it is written', () => {
  const url = 'redis+sentinel://ana:p%2fss%21@a:1,b:2/main?username=watcher&password=t%2bwo'
  const secrets = ['ana', 'p%2fss%21', 'p/ss!', 'p%2Fss!', 'watcher', 't%2bwo', 't+wo', 't%2Bwo']
  expect(secretsOfRedisUrl(url).toSorted()).toEqual(secrets.toSorted())
})
