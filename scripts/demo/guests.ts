import type { PmsReservation } from '@/lib/pms/parse-row'
import { share, whole } from './chance'
import { guestHome } from './guest-homes'
import { EXPECTED_GUESTS, guestProfile } from './guest-profile'
import type { Service } from './service-client'

const BATCH_ROWS = 2000
const HOST = 'Marta Soler'

/** The identity of a guest for the sync; null without contact data. */
const guestKey = (row: Pick<PmsReservation, 'email' | 'phone'>): string | null => row.email ?? row.phone

/** The guests of the demo, entered into the house's book on the day they first booked. */
export interface GuestBook {
  /** Remembers the guest of a booking in that city, if they are new. Call it in the order of time. */
  meet: (row: PmsReservation, city: string) => void
  /** Saves those met since the last time, as customers; before the sync, which finds them by e-mail or phone. */
  save: () => Promise<void>
}

/** @param expected the rows of today: some of their guests have notes and birthdays for the staff to see. */
export function openGuestBook(
  db: Service,
  organization_id: string,
  today: string,
  expected: PmsReservation[],
): GuestBook {
  const places = expectedPlaces(expected)
  const emails = new Set<string>()
  const phones = new Set<string>()
  let rows: object[] = []

  function meet(row: PmsReservation, city: string): void {
    const { email, phone, first_name, last_name } = row
    const key = guestKey(row)
    // Without an e-mail, the sync matches by phone.
    if (!key || (email ? emails.has(email) : phones.has(key))) return
    if (email) emails.add(email)
    if (phone) phones.add(phone)
    const booked =
      Date.parse(`${row.reservation_date}T10:00:00Z`) - whole(key, 'first lead', 1, 9 * 24) * 3_600_000
    const created_at = new Date(Math.min(booked, Date.now())).toISOString()
    rows.push({
      ...{
        organization_id,
        email,
        phone,
        first_name,
        last_name,
        source: 'PMS',
        created_at,
        consents: consentsOf(key, created_at),
      },
      ...guestProfile(key, today, places.get(key)),
      ...guestHome(key, row, city),
    })
  }

  async function save(): Promise<void> {
    for (let from = 0; from < rows.length; from += BATCH_ROWS)
      await db
        .from('customers')
        .insert(rows.slice(from, from + BATCH_ROWS) as never)
        .throwOnError()
    rows = []
  }
  return { meet, save }
}

/** Consent: most are existing customers, some have opted in, a few have opted out of e-mail. */
function consentsOf(key: string, at: string): object {
  const recorded = (basis: string, reason: string) => ({ basis, source: 'staff', at, author: HOST, reason })
  const drawn = share(key, 'consent')
  if (drawn < 0.06) return { email: recorded('opt_in', 'Se apuntó al boletín en el local') }
  if (drawn < 0.08) return { email: recorded('none', 'Prefiere que no le escribamos') }
  return {}
}

function expectedPlaces(rows: PmsReservation[]): Map<string, number> {
  const coming = rows.filter(({ status }) => status !== 'cancelled' && status !== 'no_show')
  const keys = [...new Set(coming.map(({ email }) => email).filter((email) => email !== null))]
  // Every n-th, so that each location and shift is represented.
  const step = Math.max(1, Math.floor(keys.length / EXPECTED_GUESTS))
  return new Map(keys.filter((_, at) => at % step === 0).map((key, place) => [key, place]))
}
