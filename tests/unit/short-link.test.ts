import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { idOfCode, shortCode } from '@/lib/messaging/short-link'

describe('the code of a message', () => {
  it('is 21 characters, and leads back to its id', () => {
    const edges = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff']
    for (const id of [
      ...edges,
      ...Array.from({ length: 1000 }, () => randomUUID().replace(/^(.{14})4/, '$17')),
    ]) {
      const code = String(shortCode(id))
      expect(code).toMatch(/^[\w-]{21}$/)
      expect(idOfCode(code)).toBe(id)
    }
  })

  it('is nothing else', () => {
    for (const other of ['', 'A'.repeat(20), 'A'.repeat(22), '_'.repeat(21), `${'A'.repeat(20)}/`])
      expect(idOfCode(other)).toBeNull()
    expect(shortCode('00000000-0000-4000-8000-000000000000')).toBeNull()
  })
})
