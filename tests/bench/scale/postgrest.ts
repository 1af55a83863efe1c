import { PASSWORD, stackClient } from '../../factories/account'
import type { Figure } from '../support/figures'
import type { Ground } from './place'
import { figureOf, oneByOne } from './row'

const TIMES = 20
const MOST = 50

const READS = [
  { table: 'customers', order: ['created_at'], note: 'order=created_at.desc' },
  {
    table: 'reservations',
    order: ['reservation_date', 'reservation_time'],
    note: 'order=reservation_date.desc,reservation_time.desc',
  },
  { table: 'reservations', order: ['created_at'], note: 'order=created_at.desc' },
] as const

/** What a person reads with their token straight through PostgREST, newest first: of everyone, and of one location. */
export async function postgrest({ stack, lab, bare }: Ground): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const person of [
    lab.people.find(({ role }) => role === 'super_admin'),
    lab.people.find(({ role, bound }) => role === 'operaciones' && bound),
  ]) {
    const db = stackClient(stack, 'anon')
    const { error } = await db.auth.signInWithPassword({ email: person?.email ?? '', password: PASSWORD })
    if (error) throw error
    for (const { table, order, note } of READS) {
      let problem = ''
      const times = await oneByOne(TIMES, async () => {
        if (problem) return
        let query = db.from(table).select('*')
        for (const column of order) query = query.order(column, { ascending: false })
        const answer = await query.limit(50)
        if (answer.error) problem = answer.error.message
      })
      const sql = `select * from public.${table} where organization_id = $1
        order by ${order.map((column) => `${column} desc`).join(', ')} limit 50`
      const floor = problem ? [] : await oneByOne(3, () => bare.query(sql, [lab.organization]), 1)
      figures.push(
        figureOf({
          name: `PostgREST, ${table} newest first, ${person?.role}${person?.bound ? ' of one location' : ''}`,
          times: problem ? [] : times,
          floor: { times: floor, what: 'the same as superuser' },
          goal: { most: MOST, unit: 'ms', of: 'p95' },
          note: problem || note,
        }),
      )
    }
  }
  return figures
}
