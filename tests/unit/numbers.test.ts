import { MantineProvider } from '@mantine/core'
import fc from 'fast-check'
import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { NumberField } from '@/components/forms/number-field'
import { EUR, numberOrText, numberProblem, readNumber, showNumber } from '@/components/forms/numbers'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

const LANGUAGES = ['es', 'en'] as const
const MANY = { decimals: 4 }
/** The same text with the two signs exchanged. */
const mirrored = (text: string) => text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))

describe('a number as people write it', () => {
  it.each([
    ['0', 0],
    [' 12 ', 12],
    ['007', 7],
    ['1.000', 1000],
    ['12.000', 12_000],
    ['1.234.567', 1_234_567],
    ['1.000,50', 1000.5],
    ['1.234.567,8', 1_234_567.8],
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['1.50', 1.5],
    ['1.0005', 1.0005],
    // Nobody writes thousands of nothing.
    ['0.075', 0.075],
    ['0,075', 0.075],
    ['1234,5', 1234.5],
    ['12 000', 12_000],
    ['12\u00a0000', 12_000],
    ['12\u202f000,25', 12_000.25],
    ['1 234 567', 1_234_567],
    ['-5', -5],
    ['−1.000', -1000],
  ])('in Spanish %j is %d, and mirrored in English', (text, number) => {
    expect(readNumber(text, 'es', MANY)).toBe(number)
    expect(readNumber(mirrored(text), 'en', MANY)).toBe(number)
  })

  it.each([
    ...['', 'abc', '1.00.0', '1,2,3', '1..000', '.5', '5,', ',', '1,000,000', '1.000.00', '0.000.000'],
    // The first is no thousands, and as decimals it may be a slip.
    ...['1234.567', '1.0000.000', '12 00', '1 2', '1\n000 0', '1.000 000', '1,000.50'],
    ...['1e3', '0x10', 'Infinity', 'NaN', '1_000', '--1', '1-', '١٢', '1.000 €', '12 %'],
  ])('%j is none, nor mirrored in English', (text) => {
    expect(readNumber(text, 'es', MANY)).toBeNull()
    expect(readNumber(mirrored(text), 'en', MANY)).toBeNull()
    expect(numberOrText(` ${text}`, 'es', MANY)).toBe(text)
  })

  it('reads back every number that a field shows, in both languages', () => {
    const numbers = fc.tuple(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.integer({ min: 0, max: 4 }),
    )
    fc.assert(
      fc.property(numbers, fc.constantFrom(...LANGUAGES), ([digits, decimals], locale) => {
        const value = digits / 10 ** decimals
        expect(readNumber(showNumber(value, locale), locale, MANY)).toBe(value)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  it('reads back every number as its language groups it', () => {
    const numbers = fc.tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.constantFrom(0, 1, 2))
    fc.assert(
      fc.property(numbers, fc.constantFrom(...LANGUAGES), ([digits, decimals], locale) => {
        const value = digits / 10 ** decimals
        const grouped = value.toLocaleString(locale, { useGrouping: 'always', maximumFractionDigits: 2 })
        expect(readNumber(grouped, locale, EUR)).toBe(value)
        expect(readNumber(`${grouped} €`, locale, EUR)).toBe(value)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  it('is never another number in the other language: who changes it keeps the text in the form', () => {
    const numbers = fc.tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.constantFrom(0, 1, 2))
    fc.assert(
      fc.property(
        numbers,
        fc.constantFrom(...LANGUAGES),
        fc.boolean(),
        ([digits, decimals], locale, useGrouping) => {
          const value = digits / 10 ** decimals
          const text = value.toLocaleString(locale, { useGrouping, maximumFractionDigits: 2 })
          const other = locale === 'es' ? 'en' : 'es'
          expect([null, value]).toContain(readNumber(text, other, EUR))
          expect([null, value]).toContain(readNumber(text, other))
        },
      ),
      { numRuns: 2000, seed: 1 },
    )
  })

  it('takes the sign of the euro where it is money, and no other', () => {
    for (const text of ['1.000 €', '1.000€', '€ 1.000', '1000 EUR', '1.000 euros'])
      expect([text, readNumber(text, 'es', EUR)]).toEqual([text, 1000])
    for (const text of ['$1000', '1000 $', '€', '€ 1000 €', '10 €/persona'])
      expect([text, readNumber(text, 'es', EUR)]).toEqual([text, null])
  })

  it('has no more decimals than the field takes: "1,000" in Spanish is not taken for 1', () => {
    expect(readNumber('1,5', 'es')).toBeNull()
    expect(readNumber('1,000', 'es')).toBeNull()
    expect(readNumber('1,000', 'es', EUR)).toBeNull()
    expect(readNumber('1.000', 'en', EUR)).toBeNull()
    expect(readNumber('1.000', 'es')).toBe(1000)
    expect(['1,5', 'x'].map((text) => numberProblem(text, 'es'))).toEqual(['whole', 'whole'])
    expect(['1,505', 'x', '', '1'].map((text) => numberProblem(text, 'es', EUR))).toEqual([
      ...['decimals', 'unreadable', null, null],
    ])
  })
})

describe('the field for a number', () => {
  const field = (locale: 'es' | 'en', props: Parameters<typeof NumberField>[0]) => {
    const children = createElement(MantineProvider, null, createElement(NumberField, props))
    const messages = { es, en }[locale]
    return renderToStaticMarkup(
      createElement(NextIntlClientProvider, { locale, messages, formats, timeZone: 'UTC', children }),
    )
  }

  it('is a text with the right keyboard, and shows what is stored in the language of who reads it', () => {
    const html = field('es', { ...EUR, defaultValue: 1234.5 })
    expect(html).toMatch(/<input[^>]* type="text"/)
    expect(html).toMatch(/<input[^>]* inputMode="decimal"/i)
    expect(html).toContain('value="1234,5"')
    expect(field('en', { ...EUR, defaultValue: 1234.5 })).toContain('value="1234.5"')
    expect(field('es', { defaultValue: 7 })).toMatch(/inputMode="numeric"/i)
  })

  it.each([
    ['es', { value: '1.00.0', ...EUR }, 'Escribe un número, como 12,50 o 1.000.'],
    ['en', { value: '1,00,0', ...EUR }, 'Write a number, such as 12.50 or 1,000.'],
    ['es', { value: '1,5' }, 'Escribe un número entero, como 12 o 1.000.'],
    ['es', { value: '1,000', ...EUR }, 'Como mucho 2 decimales: mil se escribe 1.000.'],
    ['es', { value: '0', min: 1 }, 'Como mínimo 1.'],
    ['es', { value: '20.000', max: 10_000 }, 'Como mucho 10.000.'],
  ] as const)('says in %s of %j at an error in general words: %s', (locale, props, words) => {
    for (const error of [true, { es, en }[locale].client.errors.issues.wrong_type]) {
      const html = field(locale, { ...props, error })
      expect(html).toContain(`>${words}<`)
      expect(html).toContain(`value="${props.value}"`)
    }
    expect(field(locale, props)).not.toContain('aria-invalid')
  })

  it('lets the words of a form stand, but for the slip of a thousand', () => {
    const error = 'De 1 a 500.'
    expect(field('es', { value: 'diez', error })).toContain(`>${error}<`)
    expect(field('es', { value: '1.000', max: 500, error })).toContain(`>${error}<`)
    expect(field('es', { value: '1,000', ...EUR, error })).toContain('mil se escribe 1.000')
  })
})
