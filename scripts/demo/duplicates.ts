import { oneOf, whole } from './chance'
import { findCorrespondents } from './correspondents'
import type { Service } from './service-client'

const DAY_MS = 86_400_000
const COUNT = 8

/** Duplicate customers with typical causes: a paper list, another mailbox, another phone. */
export async function seedDuplicates(db: Service, organization_id: string): Promise<void> {
  const people = await findCorrespondents(db, organization_id, { min: 3, max: 9 }, 60)
  // They need a birth date, because an equal name alone is no suggestion.
  const chosen = people.filter(({ birth_date, first_name }) => birth_date && first_name).slice(0, COUNT)
  const rows = chosen.map(({ email, phone, first_name, last_name, birth_date, location_id }, at) => {
    const created_at = new Date(Date.now() - whole(email, 'twice', 35, 200) * DAY_MS).toISOString()
    const known = { organization_id, first_name, last_name, location_id, source: 'CSV', created_at }
    if (at % 3 === 0) return { ...known, email: null, phone, birth_date: null, notes: null }
    const [box = '', domain = ''] = email.split('@')
    if (at % 3 === 1)
      return { ...known, email: `${box}+reservas@${domain}`, phone: null, birth_date, notes: null }
    const digit = String((Number(phone.at(-1)) + 1) % 10)
    const notes = oneOf(email, 'paper', ['Apuntado en la libreta de la terraza.', 'Del sorteo de primavera.'])
    return { ...known, email: `${box}@otro.example`, phone: phone.slice(0, -1) + digit, birth_date, notes }
  })
  await db.from('customers').insert(rows).throwOnError()
}
