import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../factories/group'
import type { Client } from '../support/app'
import { everyPage, type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let people: Record<'boss' | 'cook', Person>
let boss: Client
let cook: Client
let ticket: string

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  people = { boss: await g.group.person('admin'), cook: await g.group.person('rrhh') }
  boss = await signedIn(people.boss)
  cook = await signedIn(people.cook)
  await g.sql(`update public.profiles set full_name = 'Berta Boss' where id = $1`, [people.boss.id])
  await g.sql(`update public.profiles set full_name = 'Carlos Cook' where id = $1`, [people.cook.id])
})
afterAll(() => g?.app.close())

beforeEach(async () => {
  await g.sql('delete from public.tickets')
  const { body } = await g.ask(cook, 'POST', '/api/tickets', { subject: 'No imprime' })
  ticket = body.data.id
})

const patch = async (client: Client, fields: object) =>
  expect((await g.ask(client, 'PATCH', `/api/tickets/${ticket}`, fields)).status).toBe(200)
const path = () => `/api/tickets/${ticket}/activity`
interface Entry {
  kind: string
  author_name: string | null
  details: { field?: string; before?: string | null; after?: string | null; body?: string }
}
/** `Berta Boss: status open > closed` */
async function told(limit = 50): Promise<string[]> {
  const entries = (await everyPage(g.ask, boss, path(), limit)) as unknown as Entry[]
  return entries.map(({ kind, author_name, details: { field, before, after, body } }) =>
    kind === 'comment' ? `${author_name} says ${body}` : `${author_name}: ${field} ${before} > ${after}`,
  )
}

describe('the activity of a ticket', () => {
  it.each([1, 50])('lists changes with their authors between the comments (%i on a page)', async (limit) => {
    await patch(boss, { assignee_id: people.cook.id })
    await g.ask(cook, 'POST', `/api/tickets/${ticket}/comments`, { body: 'Voy' })
    await patch(cook, { status: 'in_progress', subject: 'No imprime la cocina' })
    await patch(boss, { assignee_id: people.boss.id, location_id: g.places.Norte })
    await patch(boss, { assignee_id: null })
    await patch(cook, { status: 'closed' })
    expect(await told(limit)).toEqual([
      'Berta Boss: assignee null > Carlos Cook',
      'Carlos Cook says Voy',
      'Carlos Cook: status open > in_progress',
      'Carlos Cook: subject No imprime > No imprime la cocina',
      'Berta Boss: assignee Carlos Cook > Berta Boss',
      'Berta Boss: location null > Norte',
      'Berta Boss: assignee Berta Boss > null',
      'Carlos Cook: status in_progress > closed',
    ])
  })

  it('has the deadline with the priority that moved it', async () => {
    const before = (await g.ask(boss, 'GET', `/api/tickets/${ticket}`)).body.data
    await patch(boss, { priority: 'urgent' })
    const after = (await g.ask(boss, 'GET', `/api/tickets/${ticket}`)).body.data
    const { body } = await g.ask(boss, 'GET', path())
    const [priority, due] = body.data as Entry[]
    expect(priority?.details).toEqual({ field: 'priority', before: 'medium', after: 'urgent' })
    expect(due?.details.field).toBe('due')
    const instants = [due?.details.before, due?.details.after].map((at) => Date.parse(at ?? ''))
    expect(instants).toEqual([before.sla_due_at, after.sla_due_at].map((at: string) => Date.parse(at)))
  })

  it('has nothing of what did not change', async () => {
    await patch(boss, { status: 'open', subject: 'No imprime', description: 'La de la cocina' })
    expect(await told()).toEqual([])
  })

  it('is written with the change, or not at all', async () => {
    const failed = g.sql(
      `do $$ begin
         update public.tickets set status = 'closed';
         raise exception 'afterwards';
       end $$`,
    )
    await expect(failed).rejects.toThrow('afterwards')
    expect(await told()).toEqual([])
  })

  it('has no name for changes without a person, and keeps the names of people who left', async () => {
    await g.sql(`update public.tickets set priority = 'high'`)
    expect((await told())[0]).toBe('null: priority medium > high')
    const leaver = await g.group.person('rrhh')
    await g.sql(`update public.profiles set full_name = 'Luz Left' where id = $1`, [leaver.id])
    await patch(await signedIn(leaver), { assignee_id: leaver.id })
    expect((await g.ask(boss, 'DELETE', `/api/team/${leaver.id}`)).status).toBe(204)
    const entries = await told()
    expect(entries).toContain('Luz Left: assignee null > Luz Left')
    expect(entries.at(-1)).toMatch(/: assignee null > null$/)
  })

  it('has pages', async () => {
    expect(await g.ask(boss, 'GET', `${path()}?cursor=x`)).toEqual(refusal('MALFORMED_CURSOR'))
  })

  it('goes with the ticket', async () => {
    await patch(boss, { status: 'waiting' })
    expect((await g.ask(boss, 'DELETE', `/api/tickets/${ticket}`)).status).toBe(204)
    expect(await g.sql('select 1 from public.ticket_changes')).toEqual([])
  })
})
