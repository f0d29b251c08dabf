import { expect, test } from 'vitest'
import { parseRedisUrl, secretsOfRedisUrl } from '#lib/config/redis-url.ts'

const anybody = { username: null, password: null }
const plain = { isTls: false, database: 0, ...anybody }
const at = (host: string, port: number) => ({ host, port })

test.each([
  ['redis://redis:6379', { at: at('redis', 6379) }],
  ['redis://redis', { at: at('redis', 6379) }],
  ['rediss://[::1]:7/3', { isTls: true, database: 3, at: at('::1', 7) }],
  ['redis://:secret@redis/', { password: 'secret', at: at('redis', 6379) }],
  ['redis://ana:p%40ss%2F@10.0.0.1:1', { username: 'ana', password: 'p@ss/', at: at('10.0.0.1', 1) }],
  [
    'redis+sentinel://a,b:7,[::1]/main',
    { at: { ...anybody, master: 'main', addresses: [at('a', 26379), at('b', 7), at('::1', 26379)] } },
  ],
  [
    'rediss+sentinel://ana:one@a:1/main/2?username=watcher&password=two',
    {
      ...{ isTls: true, database: 2, username: 'ana', password: 'one' },
      at: { master: 'main', username: 'watcher', password: 'two', addresses: [at('a', 1)] },
    },
  ],
])('%s is read', (text, target) => {
  expect(parseRedisUrl(text)).toEqual({ ...plain, ...target })
})

test.each([
  ['no scheme of Redis', 'redis:6379', 'http://redis'],
  ['no host', 'redis://', 'redis+sentinel://a,/main'],
  ['two hosts and no sentinels', 'redis://a,b'],
  ['a port that is none', 'redis://a:123456'],
  ['a database that is none', 'redis://a/main', 'redis://a/0/1', 'redis+sentinel://a/main/x'],
  ['sentinels of no master', 'redis+sentinel://a', 'redis+sentinel://a/'],
  ['a blank', 'redis://a b'],
])('a text with %s is none', (_, ...texts) => {
  expect(texts.filter((text) => parseRedisUrl(text) !== null)).toEqual([])
})

test('no user or password of Redis or its sentinels is seen in a log, in whichever way it is written', () => {
  const url = 'redis+sentinel://ana:p%2fss%21@a:1,b:2/main?username=watcher&password=t%2bwo'
  const secrets = ['ana', 'p%2fss%21', 'p/ss!', 'p%2Fss!', 'watcher', 't%2bwo', 't+wo', 't%2Bwo']
  expect(secretsOfRedisUrl(url).toSorted()).toEqual(secrets.toSorted())
})
