import { describe, expect, it } from 'vitest'
import { fold } from '@/lib/text/fold'
import cases from '../text-cases.json'

describe('texts, by the table of cases', () => {
  it.each(cases.fold)('fold of “$in”', ({ in: text, out }) => {
    expect(fold(text)).toBe(out)
    expect(fold(out)).toBe(out)
  })
})
