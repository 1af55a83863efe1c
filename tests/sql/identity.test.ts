import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let organization: string
beforeAll(async () => {
  stack = await startStack()
  const [made] = await stack.sql<{ id: string }>(
    `insert into public.organizations (name, slug) values ('Uno', 'uno') returning id::text`,
  )
  organization = made?.id ?? ''
})
afterAll(() => stack?.close())

type Person = Partial<
  Record<'first_name' | 'last_name' | 'email' | 'phone' | 'birth_date' | 'address', string>
>

async function add(person: Person): Promise<string> {
  const [row] = await stack.sql<{ id: string }>(
    `insert into public.customers (organization_id, first_name, last_name, email, phone, birth_date, address)
     values ($1, $2, $3, $4, $5, $6::text::date, $7) returning id::text`,
    [
      organization,
      ...(['first_name', 'last_name', 'email', 'phone', 'birth_date', 'address'] as const).map(
        (field) => person[field] ?? null,
      ),
    ],
  )
  return row?.id ?? ''
}

/** What is found for someone who is not saved: [certain or likely, the reasons], the most likely first. */
async function alike(person: Person): Promise<{ id: string; certain: boolean; reasons: object }[]> {
  return stack.sql(
    'select customer_id::text as id, certain, reasons from private.score_new($1, $2::text::jsonb)',
    [organization, JSON.stringify(person)],
  )
}

async function score(): Promise<void> {
  for (let more = true; more; ) {
    const [step] = await stack.sql<{ more: boolean }>(
      `select (private.score_step($1, 3) ->> 'more')::boolean as more`,
      [organization],
    )
    more = step?.more ?? false
  }
}

const pairsOf = async (id: string) =>
  stack.sql<{ other: string; certain: boolean }>(
    `select case $1::uuid when first_id then second_id else first_id end::text as other, certain
     from public.identity_pairs where $1::uuid in (first_id, second_id) order by probability desc`,
    [id],
  )

describe('somebody who is not saved yet', () => {
  it('is who has the same phone under a pet name and without the second surname', async () => {
    const id = await add({ first_name: 'José', last_name: 'García Íñiguez', phone: '+34600100100' })
    expect(await alike({ first_name: 'Pepe', last_name: 'GARCIA', phone: '+34600100100' })).toEqual([
      { id, certain: false, reasons: { given: 'nickname', surname: 'one_missing', phone: 'exact' } },
    ])
  })

  it('is certain with the same birth date and mailbox', async () => {
    const id = await add({
      ...{ first_name: 'Nuria', last_name: 'Zurbano Peral', email: 'nuria.zp@gmail.com' },
      birth_date: '1981-05-17',
    })
    const found = await alike({
      ...{ first_name: 'NURIA', last_name: 'Zurbano Peral', email: 'nuriazp+mesa@gmail.com' },
      birth_date: '1981-05-17',
    })
    expect(found).toEqual([
      { id, certain: true, reasons: { given: 'exact', surname: 'both', email: 'mailbox', birth: 'exact' } },
    ])
  })

  it.each<[string, Person, Person]>([
    [
      'a son of the father’s name on his phone',
      { first_name: 'Tomás', last_name: 'Arrieta Lobo', phone: '+34600200200' },
      { first_name: 'Tomás', last_name: 'Arrieta Quiroga', phone: '+34600200200' },
    ],
    [
      'a twin',
      { first_name: 'Marta', last_name: 'Oca Vidal', phone: '+34600300300', birth_date: '1990-02-03' },
      { first_name: 'Lucía', last_name: 'Oca Vidal', phone: '+34600300300', birth_date: '1990-02-03' },
    ],
    [
      'a parent of the same name, born a generation before',
      { first_name: 'Rosa', last_name: 'Baena Cid', phone: '+34600400400', birth_date: '1992-09-30' },
      { first_name: 'Rosa', last_name: 'Baena Cid', phone: '+34600400400', birth_date: '1961-01-12' },
    ],
    [
      'a namesake with another number in the same kind of address',
      { first_name: 'Ana', last_name: 'García', email: 'ana.garcia21@gmail.com' },
      { first_name: 'Ana', last_name: 'García', email: 'ana.garcia78@hotmail.com' },
    ],
    [
      'a spouse on one phone and mailbox',
      { first_name: 'Iker', last_name: 'Sota Ruiz', phone: '+34600500500', email: 'casa.sota@example.com' },
      { first_name: 'Elena', last_name: 'Mora Gil', phone: '+34600500500', email: 'casa.sota+e@example.com' },
    ],
  ])('is not %s', async (_, saved, other) => {
    await add(saved)
    expect(await alike(other)).toEqual([])
  })

  it('may be anything: no text is refused', async () => {
    const odd = { first_name: "'; --", last_name: '王 伟 ☃', email: 'x@y', phone: 'none', address: '\\%_' }
    expect(await alike(odd)).toEqual([])
    expect(
      await alike({ first_name: 'a'.repeat(5000), last_name: ',', email: `${'b'.repeat(500)}@c.d` }),
    ).toEqual([])
    expect(await alike({})).toEqual([])
  })
})

describe('customers', () => {
  it('are compared once they are new, and again when a compared field changes', async () => {
    const one = await add({ first_name: 'Berta', last_name: 'Ugarte Sanz', phone: '+34600600600' })
    const other = await add({ first_name: 'Berta', last_name: 'Ugarte', phone: '+34600600600' })
    await score()
    expect(await pairsOf(one)).toEqual([{ other, certain: false }])
    await stack.sql(`update public.customers set notes = 'Nada' where id = $1`, [other])
    const waiting = 'select customer_id::text as id from private.identity_queue where organization_id = $1'
    expect(await stack.sql(waiting, [organization])).toEqual([])
    await stack.sql(`update public.customers set first_name = 'Carlos' where id = $1`, [other])
    expect(await stack.sql(waiting, [organization])).toEqual([{ id: other }])
    await score()
    expect(await pairsOf(one)).toEqual([])
  })
})
