import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { AuditTable } from '@/components/audit/audit-table'
import { AUDIT_KINDS, type NamedLine } from '@/lib/audit/schema'
import { completeCriteria } from '@/lib/automations/check'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

const line: NamedLine = {
  id: '1',
  at: '2026-11-20T12:00:00.000Z',
  actor: 'Ana Ruiz',
  action: 'campaign.changed',
  subject_type: 'campaign',
  subject_id: 'c',
  subject: 'Navidad',
  before: null,
  after: null,
}

/** The table in Spanish with one line. */
function rendered(changes: Partial<NamedLine>): string {
  const children = createElement(AuditTable, { lines: [{ ...line, ...changes }] })
  const intl = { locale: 'es', messages: es, formats, timeZone: 'Europe/Madrid', children } as const
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
}

/** What it says, its elements apart. */
const said = (changes: Partial<NamedLine>) =>
  rendered(changes)
    .replace(/<[^>]+>/g, '|')
    .replace(/\|+/g, '|')

const shown = (value: unknown) => said({ before: { to: null }, after: { to: value } })

describe('a value in the log', () => {
  it.each([
    ['a date', '2026-12-04', '4 dic 2026'],
    ['a local time', '2026-12-04T11:00:00', '4 dic 2026, 11:00'],
    ['an instant in UTC', '2026-12-04T10:00:00.000Z', '4 dic 2026, 11:00'],
    ['an instant of Postgres', '2026-12-04T10:00:00+00:00', '4 dic 2026, 11:00'],
    ['a code', 'reservation_confirmation', 'Confirmación de reserva'],
    ['a text like a date', '2026-99-99', '2026-99-99'],
    ['another text', '2026-12-04 y más', '2026-12-04 y más'],
  ])('is shown as on other pages: %s', (_, value, words) => {
    expect(shown(value)).toContain(`${words}|`)
  })
})

it('a language of the group is shown by its name', () => {
  const given = { subject_type: 'organization', action: 'organization.changed' }
  const words = said({ ...given, before: { language: 'es' }, after: { language: 'ca' } })
  expect(words).toContain('Idioma:| |Español| → Catalán|')
})

describe('a line of the log', () => {
  it.each(AUTOMATION_TYPES)('names the criteria of an automation in words: %s', (type) => {
    const all = [{}, { answers: true }, { min_tier: 'Oro', min_spend: 1 }, { nudge_hours: 1, answers: true }]
    for (const given of all) {
      const criteria = completeCriteria(type, { ...given, segment_id: crypto.randomUUID() }).data
      for (const name of Object.keys(criteria ?? {}))
        expect(said({ before: null, after: { criteria } }), name).not.toMatch(new RegExp(`\\b${name}:`))
    }
  })

  it('names a person who is both subject and author once in the narrow column', () => {
    const count = (text: string) => text.split('Ana Ruiz').length - 1
    // The author's own column is hidden on a phone.
    expect(count(said({ action: 'session.started', subject: 'Ana Ruiz' }))).toBe(2)
    expect(count(said({}))).toBe(2)
  })
})

it('an erasure says in words what is left to mend, with a link where there is a page', () => {
  const [campaign, look] = ['0f0f0f0f-1111-4222-8333-444444444444', 'a0a0a0a0-1111-4222-8333-444444444444']
  const after = { to_mend: [`campaign ${campaign}`, `email_look ${look}`] }
  const html = rendered({ action: 'customer.erased', subject_type: 'customer', after })
  expect(html).toMatch(new RegExp(`<a [^>]*href="/campaigns/${campaign}"[^>]*>Campañas 0f0f0f0f</a>`))
  expect(html).toContain('Aspecto de los correos a0a0a0a0')
  expect(html).not.toMatch(/>campaign |email_look/)
})

it('has words for actions of each kind, and of no other', () => {
  expect(Object.keys(es.audit.actions).sort()).toEqual([...AUDIT_KINDS].sort())
})
