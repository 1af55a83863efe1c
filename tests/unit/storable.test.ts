import { describe, expect, it } from 'vitest'
import { unstorablePath } from '@/lib/http/json'

describe('text that Postgres cannot store', () => {
  it.each([
    ['NUL in a text', { a: 'x\0' }, 'a'],
    ['NUL deep inside', { a: [{ b: '\0' }] }, 'a.0.b'],
    ['NUL in a key', { a: { 'b\0': 1 } }, 'a'],
    ['half a surrogate pair', { a: 'ñ', b: '\ud800' }, 'b'],
    ['the value itself', '\0', ''],
  ])('is found: %s', (_, value, path) => {
    expect(unstorablePath(value)).toBe(path)
  })

  it('is nothing else', () => {
    expect(unstorablePath({ a: '\\u0000 ñ 👩‍🍳', b: null, c: [1, true, 'x'] })).toBeNull()
  })
})
