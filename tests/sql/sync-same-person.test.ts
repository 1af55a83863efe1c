import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'
import { createGroup, type Group, stackClient } from '../factories/group'
import { createRandom } from '../fakes/pms/random'
import type { TruthRow } from '../fakes/pms/types'
import { emptyTables } from '../support/empty-tables'
import { expectSync } from '../support/expect-sync'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Parecidos', [{ name: 'Norte', slug: 'norte', averageSpend: 20 }])
})
afterAll(() => stack?.close())

const PHONES = ['+34612345678', '+34698765432', null]
const EMAILS = ['ana@correo.example', 'ana@trabajo.example', 'leo@correo.example', 'eva@correo.example', null]
const NAMES = [
  ['Ana', 'García López'],
  ['García López', 'Ana'],
  ['ANA', 'LOPEZ GARCIA'],
  ['Leo', 'Gil'],
  ['', ''],
] as const
const BATCHES = 3
const ROWS = 5

/** Three answers of a PMS about few people under few addresses, and the truth of each row. */
function draw(seed: number): { rows: Record<string, unknown>[]; truths: TruthRow[] }[] {
  const random = createRandom(`same person ${seed}`)
  return Array.from({ length: BATCHES }, (_, batch) => {
    const truths = Array.from({ length: ROWS }, (_, index) => {
      const [email, phone] = [random.pick(EMAILS), random.pick(PHONES)]
      const [client_name, client_surname] = random.pick(NAMES)
      const externalId = `${batch}-${index}`
      const date = `2026-05-${String(10 + random.int(0, 9))}`
      const row = { client_name, client_surname }
      const person = { email, phone }
      const visit = { externalId, date, time: '21:00', partySize: 2, status: 'completed' }
      return { ...visit, row, person, rawEmail: email, rawPhone: phone } as unknown as TruthRow
    })
    const rows = truths.map(({ externalId, date, rawEmail, rawPhone, row }) => ({
      ...row,
      ...{ id: externalId, date, time: '21:00', pax: 2, status: 'finished' },
      ...{ client_email: rawEmail, client_phone: rawPhone },
    }))
    return { rows, truths }
  })
}

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'drawn people are told apart as worked out by hand: %i',
  async (seed) => {
    await stack.sql(emptyTables('customers', 'reservations'))
    const locationId = group.locations[0]?.id ?? ''
    const batches = draw(seed)
    for (const { rows } of batches) {
      const p_rows = rows.map(parseRow).map((one) => (one.ok ? { ...one.row } : expect.fail('malformed row')))
      const parameters = { p_location: locationId, p_rows }
      await stackClient(stack, 'service').rpc('sync_reservations', parameters).throwOnError()
    }
    const place = { locationId, averageSpend: 20, rules: [], timezone: 'Europe/Madrid' }
    const { reservations } = expectSync(batches.map(({ truths }) => ({ ...place, truths })))
    const found = await stack.sql(
      `select r.external_id as id, c.email, c.phone,
       array(select a.email from public.customer_aliases a where a.customer_id = c.id order by 1) as aliases
     from public.reservations r left join public.customers c on c.id = r.customer_id order by 1`,
    )
    const wanted = reservations.map(({ external_id, customer }) => ({
      id: external_id,
      email: customer?.email ?? null,
      phone: customer?.phone ?? null,
      aliases: (customer?.aliases ?? []).toSorted(),
    }))
    expect(found).toEqual(wanted.sort((a, b) => (a.id < b.id ? -1 : 1)))
  },
)
