import type { Random } from '../fakes/pms/random'
import type { Ask } from './device'
import type { House } from './house'
import type { Desk } from './verdict'

/** Books a table for later as the reservation form does; three times in ten it confirms the questions about tables. */
export async function bookAtDesk(ask: Ask, house: House, desk: Desk, random: Random): Promise<void> {
  const minute = 21 * 60 + 15 * random.int(0, 9)
  const confirm = random.chance(0.3) ? ['table_taken', 'table_too_small'] : []
  const table = random.chance(0.7) ? { table_name: `S${random.int(1, 12)}` } : {}
  const body = {
    ...{ location_id: house.location, customer_name: `Teléfono ${desk.size + 1}`, status: 'confirmed' },
    ...{ reservation_date: house.day, party_size: random.int(1, 6), ...table, confirm },
    reservation_time: `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`,
  }
  const { status, text } = await ask('POST', '/api/reservations', JSON.stringify(body), {
    'content-type': 'application/json',
  })
  if (status === 201) desk.set(JSON.parse(text).data.id, { confirm })
  else if (status !== 409) throw new Error(`A booking was answered ${status}: ${text}`)
}
