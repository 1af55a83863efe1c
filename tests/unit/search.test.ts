import { describe, expect, it } from 'vitest'
import { searchPatterns } from '@/lib/search'
import { fold } from '@/lib/text/fold'
import cases from '../text-cases.json'

describe('a search', () => {
  it.each(cases.search)('has patterns: “$in”', ({ in: text, out }) =>
    expect(searchPatterns(text)).toEqual(out),
  )

  const finds = (search: string, stored: string) => {
    const patterns = searchPatterns(search).map((pattern) => pattern.slice(1, -1).replace(/\\(.)/g, '$1'))
    return patterns.length > 0 && patterns.every((word) => fold(stored).includes(word))
  }

  it.each([
    ['600 111 222', '+34600111222'],
    ['+34 600 11 12 22', '+34600111222'],
    ['(+34) 600 111 222', '+34600111222'],
    ['+34 (0)600 111 222', '+34600111222'],
    ['0034600111222', '+34600111222'],
    ['Tel. 600 111 222', '+34600111222'],
    ['Teléfono: 600–111–222', '+34600111222'],
    ['600‑111—222', '+34600111222'],
    ['020 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['00 44 20 7946', '+442079460958'],
    ['6001', '+34600111222'],
  ])('“%s” finds %s', (search, phone) => expect(finds(search, `ana ${phone}`)).toBe(true))

  it.each([
    'José O’Brien',
    'Gal·la Søren-Weiß',
    'Jean‑Pierre “Pepe”',
    '100 % _ \\ (VIP)',
    'ana+menu@example.com',
    'Œuvre Łódź İzmir ½',
  ])('of what a page shows finds it: %s', (text) => {
    expect(finds(text, text)).toBe(true)
    expect(finds(text.toUpperCase(), text)).toBe(true)
  })
})
