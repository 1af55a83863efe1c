import { describe, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'

const external = {
  id: 4711,
  restaurante_id: 'norte',
  date: '2026-05-01',
  time: '21:00',
  client_name: ' Ana ',
  client_surname: 'Ruiz  Gil',
  client_email: ' Ana@Correo.example',
  client_phone: '612 34 56 78',
  pax: 2,
  state: '1',
  zone_name: 'Terraza',
  table_name: '7',
}
const mapped = {
  booking_id: 'b1',
  customer_name: 'Ana Ruiz Gil',
  customer_email: 'ana@correo.example',
  customer_phone: '+34612345678',
  booking_date: '2026-05-01',
  booking_time: '21:00:00',
  party_size: '2',
  status: 'confirmed',
}
const row = (input: unknown) => {
  const parsed = parseRow(input)
  return parsed.ok ? parsed.row : expect.fail(`refused: ${parsed.problem}`)
}

describe('a PMS row', () => {
  it('reads the same in both shapes', () => {
    const expected = {
      email: 'ana@correo.example',
      phone: '+34612345678',
      first_name: 'Ana',
      last_name: 'Ruiz Gil',
      customer_name: 'Ana Ruiz Gil',
      reservation_date: '2026-05-01',
      reservation_time: '21:00',
      party_size: 2,
      status: 'confirmed',
    }
    expect(row(external)).toMatchObject({
      ...expected,
      external_id: '4711',
      pms_status: '1',
      zone_name: 'Terraza',
      table_name: '7',
    })
    expect(row(mapped)).toMatchObject({
      ...expected,
      external_id: 'b1',
      pms_status: 'confirmed',
      zone_name: null,
    })
  })

  it('reads the fields seen in practice', () => {
    const { pax: _, zone_name: __, table_name: ___, state: ____, ...rest } = external
    const seen = { ...rest, for: '3', name_zone: 'Sala', table_names: ['4', 5], status: 9 }
    expect(row(seen)).toMatchObject({
      party_size: 3,
      zone_name: 'Sala',
      table_name: '4, 5',
      status: 'seated',
    })
  })

  it.each([
    ['finished', 'completed'],
    ['pending', 'pending'],
    ['SEATED', 'seated'],
    ['no_show', 'no_show'],
    [0, 'pending'],
    ['1', 'confirmed'],
    [2, 'seated'],
    ['3', 'pending'],
    [5, 'seated'],
    ['9', 'seated'],
    [-2, 'cancelled'],
    ['-5', 'cancelled'],
    [-3, 'no_show'],
    ['77', null],
    ['completed', null],
    [undefined, null],
  ])('with status %j is %j', (state, status) => {
    expect(row({ ...external, state }).status).toBe(status)
  })

  it.each([
    ['no id', { id: '' }, 'no_id', null],
    ['a date that does not exist', { date: '2026-02-30' }, 'bad_date', '4711'],
    ['another date format', { date: '01/05/2026' }, 'bad_date', '4711'],
    ['no date', { date: null }, 'bad_date', '4711'],
    ['an impossible time', { time: '25:00' }, 'bad_time', '4711'],
    ['no guests', { pax: 0 }, 'bad_party_size', '4711'],
    ['a fraction of a guest', { pax: 2.5 }, 'bad_party_size', '4711'],
    ['a stadium', { pax: 1000 }, 'bad_party_size', '4711'],
    ['an object as a name', { client_name: {} }, 'bad_field', '4711'],
  ])('with %s is malformed', (_, change, problem, id) => {
    expect(parseRow({ ...external, ...change })).toMatchObject({ ok: false, problem, id })
  })

  it.each([[null], ['text'], [7], [[]], [undefined]])('that is %j is malformed', (input) => {
    expect(parseRow(input).ok).toBe(false)
  })

  it('ignores invalid contact data', () => {
    const noise = { client_email: 'no tiene', client_phone: '000 000 000' }
    expect(row({ ...external, ...noise })).toMatchObject({ email: null, phone: null })
  })

  it('takes out what Postgres cannot store', () => {
    expect(row({ ...external, notes: 'a\u0000b\ud83d' }).notes).toBe('ab\ufffd')
  })

  it('reads a phone with a foreign country code', () => {
    expect(row({ ...external, client_phone: '0044 20 7946 0958' }).phone).toBe('+442079460958')
  })
})
