import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { reasonText } from '@/components/messages/reason-text'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { twilioReason } from '@/lib/messaging/twilio'

const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const SCHEMA = globSync('supabase/migrations/*.sql', { cwd: ROOT })
  .sort()
  .map(read)
  .join('\n')
  .replace(/--.*$/gm, '')

/** The words that a table's checks allow: statuses, channels, kinds. */
function wordsOf(table: string): string[] {
  const made = SCHEMA.split(`create table public.${table} (`)[1]?.split('\n);')[0] ?? ''
  return all(made, /check \(\w+ in\s*\(([^)]*)\)/g).flatMap((list) => all(list, /'(\w+)'/g))
}

/** Functions that give a message its reason: those that write it, and those that a run's plan asks. */
const FUNCTIONS = SCHEMA.split(/(?=^create function )/m)
  .map((text) => text.split(/^\$\$;/m)[0] ?? '')
  .filter((text) =>
    /(update|into) public\.messages|returns table \([^)]*\breason text|p_closed jsonb/.test(text),
  )
  .filter((text) => /\breason\b|p_closed/.test(text))
  // Those of campaigns give reasons why a campaign waits: lib/campaigns/schema.ts.
  .filter((text) => !/^create function \w+\.(\w*campaign\w*\(|\w+\(c public\.campaigns)/.test(text))

/**
 * Codes are what a case of these functions yields (also in the SQL they write), what ends a row of a list in them, or
 * what is set as it stands; statuses, kinds and languages are none.
 */
function codesOfSchema(): string[] {
  const tables = ['messages', 'automation_runs', 'reservations']
  const others = new Set([...tables.flatMap(wordsOf), 'es', 'en'])
  const yielded = FUNCTIONS.flatMap((text) => [
    ...all(text, /\b(?:then|else) ''?(\w+)'/g),
    ...all(text, /\(\d, .*, '(\w+)'\)/g),
  ])
  const set = FUNCTIONS.flatMap((text) => all(text, /\breason = '([^']+)'/g))
  return [...yielded.filter((word) => !others.has(word)), ...set]
}

/** What follows `reason:` in code, and what the two tables of Resend's and Twilio's refusals say. */
function codesOfCode(): string[] {
  const files = globSync(
    ['lib/messaging/*.ts', 'lib/messaging/*.tsx', 'lib/webhooks/*.ts', 'lib/automations/send-test.ts'],
    {
      cwd: ROOT,
    },
  ).map(read)
  const given = files.flatMap((text) =>
    all(text, /\b(?:reason: |paused\(|new Refused\(|code: (?='template))([^,})\n]*)/g),
  )
  const resend = read('lib/messaging/resend.tsx')
  const tables = all(resend, /(?:const CONFLICTS|function resendReason)([\s\S]*?)\n}/g)
  const twilio = [undefined, ...Array(100_000).keys()]
    .map(twilioReason)
    .filter((code) => !code.startsWith('twilio_'))
  return [...[...given, ...tables].flatMap((text) => all(text, /'([a-z]+(?:_[a-z]+)*)'/g)), ...twilio]
}

// A run that people ended gives its messages its status as their reason (cancel_held).
const ENDED_RUNS = ['refused', 'expired', 'stopped']
const CODES = [...new Set([...codesOfSchema(), ...codesOfCode(), ...ENDED_RUNS])].sort()
const NO_CODES = ['none', 'other', 'provider_code', 'template']

describe.each([
  { locale: 'es', messages: es },
  { locale: 'en', messages: en },
] as const)('why a message did not go, in $locale', ({ locale, messages }) => {
  const t = createTranslator({ locale, messages, namespace: 'client.messageReasons' })
  const words = (reason: string | null) => reasonText(t as never, reason)
  const others = words('{}').split('{}')[0] ?? ''

  it('has a sentence for every code that the schema and the providers give', () => {
    expect(CODES.length).toBeGreaterThan(45)
    expect(CODES.filter((code) => words(code).startsWith(others))).toEqual([])
  })

  it('has no sentence for a code that nothing gives', () => {
    const known = Object.keys(messages.client.messageReasons)
    expect(known.filter((code) => !CODES.includes(code) && !NO_CODES.includes(code))).toEqual([])
  })
})

it('is explained in docs/operate.md by existing codes', () => {
  const [, table = ''] =
    /^\| the row's reason .*\n\|[- |]*\n((?:\|.*\n)+)/m.exec(read('docs/operate.md')) ?? []
  const reasons = table.split('\n').map((row) => row.split('|')[1] ?? '')
  const told = reasons.flatMap((cell) => all(cell, /`(\w+)`/g))
  expect(told.length).toBeGreaterThan(10)
  expect(told.filter((code) => !CODES.includes(code))).toEqual([])
})

describe('a reason in words', () => {
  const t = createTranslator({ locale: 'es', messages: es, namespace: 'client.messageReasons' })
  const words = (reason: string | null) => reasonText(t as never, reason)

  it('names an unknown code of Twilio, a mistake in the template, and a provider’s own words', () => {
    expect(words('twilio_30999')).toBe('Twilio lo rechazó (código 30999)')
    expect(words('template_too_long')).toBe('El mensaje no se puede escribir: es demasiado largo')
    expect(words('template_range')).toBe('El mensaje no se puede escribir')
    expect(words('mailbox full')).toBe('El proveedor indicó: mailbox full')
    expect(words(null)).toBe('Sin motivo indicado')
  })
})
