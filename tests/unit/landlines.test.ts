import { readFileSync } from 'node:fs'
import examples from 'libphonenumber-js/examples.mobile.json'
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { digitMachine } from '../../scripts/digit-machine'
import { beginningWith, landlines, landlinesSql } from '../../scripts/landlines'
import { createRandom } from '../fakes/pms/random'

const SQL = readFileSync(new URL('../../supabase/logic/messages/landlines.sql', import.meta.url), 'utf8')
const PATTERNS = [...SQL.matchAll(/ ~\n((?: +'.*'\n)+)/g)].map(
  ([, lines]) => new RegExp((lines ?? '').replace(/^ +'|'\n/gm, '')),
)
const isLandline = (phone: string) => PATTERNS.some((pattern) => pattern.test(phone))

const NEAR: CountryCode[] = ['ES', 'PT', 'FR', 'IT', 'DE', 'GB', 'NL', 'BE', 'CH', 'SE', 'NO', 'PL']

describe('landlines', () => {
  it('in SQL are those of the library that is installed (npm run gen:landlines)', () => {
    expect(SQL).toBe(landlinesSql())
    expect(PATTERNS).toHaveLength(9)
  })

  it.each([
    ['+34915551234', true],
    ['+34815551234', true],
    ['+34900123456', true],
    ['+34902123456', true],
    ['+34612345678', false],
    ['+34722345678', false],
    // Mobiles among the fixed lines of Cuenca.
    ['+34969060912', false],
    ['+33145678901', true],
    ['+33612345678', false],
    ['+442071234567', true],
    ['+447712345678', false],
    ['+493012345678', true],
    ['+4915112345678', false],
    ['+390612345678', true],
    ['+393331234567', false],
    ['+351212345678', true],
    // Either kind.
    ['+12125551234', false],
    ['+525512345678', false],
    ['ES.123', false],
  ])('%s: %s', (phone, expected) => expect(isLandline(phone)).toBe(expected))

  it('are never mobiles, of any country', () => {
    for (const country of getCountries())
      expect([country, isLandline(`+${getCountryCallingCode(country)}${examples[country]}`)]).toEqual([
        country,
        false,
      ])
  })

  it('are of a fixed line as the library says, and nearly all of those where guests come from', () => {
    const random = createRandom('landlines')
    const kinds = new Map<string, [found: number, all: number]>()
    for (const country of getCountries())
      for (let n = 0; n < (NEAR.includes(country) ? 2500 : 250); n++) {
        const digits = 7 + random.int(0, 4)
        const national = String(random.int(0, 10 ** digits - 1)).padStart(digits, '0')
        // A stored phone is what the library makes of what was typed.
        const parsed = parsePhoneNumberFromString(`+${getCountryCallingCode(country)}${national}`)
        const [phone, type] = [parsed?.number ?? '', parsed?.getType()]
        if (type === undefined) continue
        const found = isLandline(phone)
        const isSpecial = country === 'ES' && ['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST'].includes(type)
        if (found && !isSpecial) expect([phone, type]).toEqual([phone, 'FIXED_LINE'])
        if (type !== 'FIXED_LINE') continue
        const [some, all] = kinds.get(country) ?? [0, 0]
        kinds.set(country, [some + Number(found), all + 1])
      }
    for (const country of NEAR) {
      const [found, all] = kinds.get(country) ?? [0, 0]
      expect([country, all > 20, found / all > 0.95]).toEqual([country, true, true])
    }
  })

  it('are found by the shortest beginnings, none of which begins with another', () => {
    const all = landlines()
    expect(all.length).toBeGreaterThan(1000)
    const sorted = all.toSorted()
    expect(sorted.filter((one, n) => n > 0 && one.startsWith(sorted[n - 1] ?? ''))).toEqual([])
    const one = new RegExp(`^${beginningWith(all)}`)
    expect(all.filter((digits) => !one.test(digits))).toEqual([])
  })
})

describe('a pattern read digit by digit', () => {
  it.each([
    ['[13]\\d{2}', ['1', '19', '190'], ['2', '4', '1900']],
    ['9(?:0[12]|7)\\d{1,2}', ['9', '901', '97', '9755', '90155'], ['8', '903', '97555', '901555']],
    ['1?2|34{0,1}5', ['1', '12', '2', '345', '35'], ['13', '122', '344']],
  ])('of %s knows which beginnings can still match', (pattern, can, cannot) => {
    const machine = digitMachine(pattern)
    const lives = (text: string) => [...text].reduce(machine.step, machine.start).size > 0
    expect(can.filter((text) => !lives(text))).toEqual([])
    expect(cannot.filter(lives)).toEqual([])
  })

  it.each(['\\w', '1*', '(1', 'a'])('is refused when it is another than the library has: %s', (pattern) => {
    expect(() => digitMachine(pattern)).toThrow()
  })
})
