import type { Shape } from './types'

/**
 * Rows no reader should choke on, in the venue's shape: no id, a date that does not exist, an impossible time, a
 * word for the guests, null, a text, an unknown status, and a NUL character with a lone surrogate in the notes.
 * @param date a date inside the requested window
 */
export function malformedRows(slug: string, shape: Shape, date: string): unknown[] {
  const external = shape === 'external'
  const names = external
    ? { id: 'id', date: 'date', time: 'time', size: 'pax', status: 'state', name: 'client_name' }
    : {
        id: 'booking_id',
        date: 'booking_date',
        time: 'booking_time',
        size: 'party_size',
        status: 'status',
        name: 'customer_name',
      }

  function row(label: string, change: Record<string, unknown>): Record<string, unknown> {
    return {
      [names.id]: `${label}-${slug}`,
      ...(external ? { restaurante_id: slug } : {}),
      [names.date]: date,
      [names.time]: '21:00',
      [names.name]: 'Fila Dañada',
      [names.size]: 2,
      [names.status]: external ? '1' : 'confirmed',
      ...change,
    }
  }

  const { [names.id]: _id, ...withoutId } = row('', {})
  return [
    withoutId,
    row('bad-date', { [names.date]: `${date.slice(0, 4)}-02-30` }),
    row('bad-time', { [names.time]: '25:99' }),
    row('bad-size', { [names.size]: 'muchos' }),
    null,
    'una fila que no es un objeto',
    row('unknown-status', { [names.status]: '77' }),
    row('bad-notes', { notes: 'Nulo \u0000 y medio emoji \ud83d' }),
  ]
}
