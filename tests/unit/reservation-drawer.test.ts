import { NextIntlClientProvider } from 'next-intl'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Activity } from '@/components/reservations/activity'
import { ReservationFacts } from '@/components/reservations/drawer'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'
import type { Reservation, ReservationActivity } from '@/lib/reservations/schema'

const NOW = new Date('2026-11-21T09:00:00Z')

/** What a component says in Spanish, its elements apart. */
function said<Props extends object>(component: FunctionComponent<Props>, props: Props): string {
  const children = createElement(component, props)
  const intl = { locale: 'es', messages: es, formats, now: NOW, timeZone: 'Europe/Madrid', children } as const
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  return html.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|')
}

const reservation: Reservation = {
  id: '1',
  external_id: '1',
  location_id: 'l',
  customer_id: null,
  customer_name: 'Ana',
  reservation_date: '2026-11-20',
  reservation_time: '21:00',
  party_size: 4,
  status: 'confirmed',
  pms_status: '1',
  visited: true,
  notes: null,
  total_amount: null,
  source: 'pms',
  zone_name: null,
  table_name: null,
  tables: [],
}
const location = {
  id: 'l',
  name: 'Norte',
  city: null,
  timezone: 'Europe/Madrid',
  is_active: true,
  pms_id: 'norte',
  known_from: null,
  known_until: null,
  synced_at: null,
  sync_failing_since: null,
  sync_failure: null,
  average_spend_per_guest: 25,
  brand_id: null,
  brand: null,
}
const facts = (changes: Partial<Reservation>, marks = {}, place: typeof location | undefined = location) =>
  said(ReservationFacts, { reservation: { ...reservation, ...changes }, marks, location: place })

describe('a reservation in the drawer', () => {
  it('shows the estimate of a visit without an amount, and why it is a visit', () => {
    const text = facts({})
    expect(text).toMatch(/100\s€ \|est\.\|Estimado: comensales × gasto medio del local/)
    expect(text).toContain('|visita|')
    expect(text).toContain('Nadie marcó la llegada; el local cuenta las reservas confirmadas como visita.')
  })

  it('shows no estimate beside an amount, nor before the service is over', () => {
    const known = facts({ total_amount: 84.5 })
    expect(known).toMatch(/84,50\s€/)
    expect(known).not.toContain('est.')
    expect(facts({ visited: null })).not.toContain('Importe')
    expect(facts({}, {}, { ...location, average_spend_per_guest: null as never })).not.toContain('Importe')
  })

  it('shows the PMS’s value beside each field that staff marked', () => {
    const marks = { status: 'seated', table_name: '4', notes: null } as const
    const text = facts({ status: 'no_show', visited: false, notes: 'No vino' }, marks)
    expect(text).toContain('No presentado|Marcado por el equipo; el PMS dice: Sentada|')
    expect(text).toContain('–|Marcado por el equipo; el PMS dice: 4|')
    expect(text).toContain('No vino|Marcado por el equipo; el PMS lo tiene vacío|')
  })
})

describe('its activity', () => {
  const entry = (changes: Partial<ReservationActivity>): ReservationActivity => ({
    id: crypto.randomUUID(),
    at: '2026-11-20T09:00:00.000Z',
    answer: null,
    action: 'reservation.changed',
    actor: 'Ana Ruiz',
    fields: ['status'],
    status: null,
    ...changes,
  })
  const marked = entry({ status: { from: 'confirmed', to: 'no_show', pms: 'confirmed' } })

  it('says who changed what, and when', () => {
    expect(said(Activity, { entries: [marked] })).toContain(
      'Ana Ruiz la pasó de Confirmada a No presentado|hace 1 día|',
    )
    const fields = entry({ fields: ['notes', 'table_name', 'total_amount'], actor: null })
    expect(said(Activity, { entries: [fields] })).toContain(
      'Alguien que ya no está en el equipo cambió: notas, importe y mesa|',
    )
    const again = entry({ status: { from: 'no_show', to: 'completed', pms: 'confirmed' } })
    expect(said(Activity, { entries: [again] })).toContain('El PMS dice: Confirmada')
  })

  it('shows the value that the PMS replaced, and the author of the mark', () => {
    const overruled = entry({
      action: 'reservation.overruled',
      actor: null,
      fields: ['status', 'table_name'],
      status: { from: 'no_show', to: 'seated' },
    })
    const text = said(Activity, { entries: [overruled, entry({ fields: ['notes'] }), marked] })
    expect(text).toContain('El PMS envió Sentada; antes: No presentado, marcado por Ana Ruiz|')
    expect(text).toContain('El PMS sustituyó lo marcado: mesa|')
    expect(said(Activity, { entries: [overruled] })).toContain('marcado por el equipo|')
  })

  it('says what the guest answered, and that the PMS replaced it', () => {
    const answered = entry({
      action: 'reservation.answered',
      actor: null,
      fields: [],
      status: { from: 'confirmed', to: 'cancelled', pms: 'confirmed' },
      answer: { answer: 'cancelled', channel: 'whatsapp' },
    })
    const overruled = entry({
      action: 'reservation.overruled',
      actor: null,
      status: { from: 'cancelled', to: 'seated' },
    })
    const text = said(Activity, { entries: [overruled, answered] })
    expect(text).toContain('El cliente canceló, por WhatsApp|')
    expect(text).toContain('El PMS envió Sentada; antes: Cancelada, marcado por el cliente|')
  })

  it('says so when there is none', () => {
    expect(said(Activity, { entries: [] })).toContain('Sin cambios')
  })
})
