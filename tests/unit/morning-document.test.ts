import { describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { compareMorning } from '@/lib/morning/compare'
import { documentOf } from '@/lib/morning/document'
import { morningPdfFile } from '@/lib/morning/pdf'
import type { Morning, StoredMorning } from '@/lib/morning/schema'
import { pdfPages } from '../support/pdf-text'

const DATE = '2026-11-20'
const NOW = new Date('2026-11-20T07:00:00Z')

/** A group of so many locations, each with the figures of five weeks, a note and a guest. */
function groupOf(places: number, changes: Partial<StoredMorning> = {}): Morning {
  const ids = Array.from({ length: places }, (_, n) => `Local ${n}`)
  return compareMorning({
    date: DATE,
    locations: ids.map((id) => ({
      ...{ id, name: id, timezone: 'Europe/Madrid', is_active: true, pms_id: null },
      ...{ known_from: null, known_until: null },
    })),
    figures: ids.flatMap((location_id) =>
      [0, 1, 2, 3, 4].map((weeks) => ({
        ...{ location_id, day: addDays(DATE, -1 - 7 * weeks), closed: false, booked: 40 },
        ...{ covers: 1100 - weeks * 100, reservations: 40, walk_ins: 3, no_shows: 1, cancelled: 2 },
        ...{ revenue: 3000.4, estimated_revenue: 10 },
      })),
    ),
    ahead: ids.flatMap((location_id) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({
        ...{ location_id, day: addDays(DATE, n), closed: n === 3, booked: n === 3 ? 0 : 9 },
        ...{
          reservations: n === 3 ? 0 : 9,
          covers: n === 3 ? 0 : 30,
          capacity: 120,
          has_hours: true,
          shifts: 1,
        },
      })),
    ),
    closings: [],
    notes: ids.map((id) => ({
      ...{
        id,
        location_id: id,
        location: id,
        day: addDays(DATE, -1),
        body: 'Se acabó el pan',
        author: 'Lucía',
      },
      ...{ mine: false, created_at: '2026-11-19T23:30:00.000Z', edited_at: null },
    })),
    guests: ids.map((id) => ({
      ...{
        reservation_id: id,
        location_id: id,
        location_name: id,
        customer_id: id,
        customer_name: 'ANA ŁĘCKA',
      },
      ...{
        reservation_time: '21:00',
        party_size: 4,
        status: 'confirmed',
        tier: 'Oro',
        vip: true,
        birthday_in: 0,
      },
      ...{ allergy: true, facts: [{ code: 'nuts', kind: 'allergy', note: null }], notes: 'Trona' },
      ...{ first_visit: false, last_visit_at: null, away: false, no_shows: 2, found: places + 5 },
    })),
    ...changes,
  })
}

describe('the morning in words', () => {
  it('has each figure with its differences, in the language asked for', () => {
    const { title, date, yesterday, ahead, notes, guests } = documentOf(groupOf(2), 'es', NOW)
    expect([title, date]).toEqual(['Informe de la mañana', 'viernes, 20 de noviembre de 2026'])
    expect(yesterday.title).toBe('Ayer, jueves, 19 de noviembre de 2026')
    expect(yesterday.rows.map(({ name }) => name)).toEqual(['Local 0', 'Local 1', 'Total'])
    expect(yesterday.rows[0]?.cells[0]).toEqual({ value: '1.100', note: '+100 · ø +250' })
    expect(yesterday.rows[2]?.cells[0]).toEqual({ value: '2.200', note: '+200 · ø +500' })
    expect(yesterday.rows[0]?.cells.at(-1)?.value).toMatch(/^3\.000\s€ est\.$/)
    expect(ahead.rows[0]?.cells[0]?.value).toBe('30')
    expect(ahead.rows[0]?.cells[0]?.note).toMatch(/^de 120 · 25\s%$/)
    expect(ahead.rows[0]?.cells[3]).toEqual({ value: 'Cerrado', note: '' })
    expect(notes.entries[0]).toEqual({ text: 'Se acabó el pan', by: 'Local 0 · Lucía, 20 nov, 00:30' })
    expect(guests.entries[0]).toEqual({
      ...{ time: '21:00', who: 'Ana Łęcka (4) · Local 0' },
      alarm: 'Alergia: frutos secos',
      why: 'Cumple años hoy · VIP: Oro · No presentado 2 veces · Trona',
    })
    expect(guests.more).toBe('2 de 7 clientes')
    const english = documentOf(groupOf(1), 'en', NOW)
    expect(english.yesterday.title).toBe('Yesterday, Thursday, November 19, 2026')
    expect(english.yesterday.rows).toHaveLength(1)
    expect(english.guests.entries[0]?.who).toBe('Ana Łęcka (4)')
  })

  it('says what is closed, where and when, and why', () => {
    const closing = { id: 'x', location_id: 'Local 0', location: 'Local 0', day: DATE }
    const closings = [
      { ...closing, shift: null, zone: null, reason: 'Boda' },
      { ...closing, shift: 'Cena', zone: null, reason: null },
      { ...closing, day: addDays(DATE, 1), shift: 'Cena', zone: 'Terraza', reason: 'Obras' },
    ]
    expect(documentOf(groupOf(2, { closings }), 'es', NOW).closings).toEqual({
      title: 'Cierres',
      entries: [
        'Hoy · Local 0 · Cerrado todo el día: Boda',
        'Hoy · Local 0 · Cerrado en el turno Cena',
        'sáb, 21 nov · Local 0 · Zona Terraza cerrada en el turno Cena: Obras',
      ],
    })
    expect(documentOf(groupOf(1, { closings }), 'en', NOW).closings.entries.at(-1)).toBe(
      'Sat, Nov 21 · Terraza is closed for Cena: Obras',
    )
  })

  it('says no data, never zero', () => {
    const unknown = groupOf(1)
    const of = documentOf({ ...unknown, ...compareMorning(neverAsked()) }, 'es', NOW)
    expect(of.yesterday.rows[0]).toMatchObject({
      note: 'Sin datos',
      cells: [{ value: '–', note: '' }, {}, {}, {}, {}, {}],
    })
    expect(of.ahead.rows[0]?.cells[0]).toEqual({ value: 'Sin datos', note: '' })
  })
})

function neverAsked(): StoredMorning {
  const place = { id: 'x', name: 'Nuevo', timezone: 'Europe/Madrid', is_active: true, pms_id: 'x' }
  const none = { location_id: 'x', closed: false, booked: 0, reservations: 0, covers: 0 }
  return {
    date: DATE,
    locations: [{ ...place, known_from: null, known_until: null }],
    figures: [0, 1, 2, 3, 4].map((weeks) => ({
      ...{ ...none, day: addDays(DATE, -1 - 7 * weeks), walk_ins: 0, no_shows: 0, cancelled: 0, revenue: 0 },
      estimated_revenue: 0,
    })),
    ahead: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({
      ...{ ...none, day: addDays(DATE, n), capacity: null, has_hours: false, shifts: 0 },
    })),
    notes: [],
    closings: [],
    guests: [],
  }
}

describe('the PDF', () => {
  it('has the whole morning on one page for a small group', async () => {
    const file = await morningPdfFile(documentOf(groupOf(2), 'es', NOW))
    expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    const pages = pdfPages(file)
    expect(pages).toHaveLength(1)
    for (const text of [
      'Informe de la mañana',
      '1.100',
      '+100 · ø +250',
      'Se acabó el pan',
      'Ana Łęcka',
      '1 / 1',
    ])
      expect(pages[0]).toContain(text)
  })

  it('repeats the head of a table and numbers every page of a large group', async () => {
    const pages = pdfPages(await morningPdfFile(documentOf(groupOf(60), 'es', NOW)))
    expect(pages.length).toBeGreaterThan(4)
    expect(pages.filter((page) => page.includes('No presentados')).length).toBeGreaterThan(2)
    pages.forEach((page, index) => {
      expect(page).toContain(`${index + 1} / ${pages.length}`)
    })
  })

  it('is made for an empty group, and of hostile texts', async () => {
    expect(pdfPages(await morningPdfFile(documentOf(groupOf(0), 'es', NOW)))[0]).toContain(
      'Todavía no trabajas',
    )
    const odd = groupOf(1, {})
    const notes = odd.notes.map((note) => ({
      ...note,
      body: `\u0000\u202e(\\)<script>\ud800 ${'x'.repeat(1900)} 日本`,
    }))
    expect(pdfPages(await morningPdfFile(documentOf({ ...odd, notes }, 'es', NOW))).join('')).toContain(
      '日本',
    )
  })
})
