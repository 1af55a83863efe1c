import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { stackClient } from '../factories/account'
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

const allPairs = () =>
  stack.sql(
    `select first_id::text, second_id::text, probability, certain, reasons from public.identity_pairs
     where organization_id = $1 order by 1, 2`,
    [organization],
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

  it.each<[string, Person, object]>([
    ['a title instead of a given name', { first_name: 'Sr.', last_name: 'Evershed' }, {}],
    [
      'the initial of a name that has a Spanish form',
      { first_name: 'W.', last_name: 'Evershed' },
      { given: 'part' },
    ],
  ])('is who has the same phone under %s', async (_, person, given) => {
    const phone = '+34600700700'
    await stack.sql('delete from public.customers where phone = $1', [phone])
    const id = await add({ first_name: 'William', last_name: 'Evershed', phone })
    expect(await alike({ ...person, phone })).toEqual([
      { id, certain: false, reasons: { ...given, surname: 'exact', phone: 'exact' } },
    ])
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
  it('are all compared again when everyone is, queued part by part', async () => {
    for (const first_name of ['Julia', 'Julia', 'Julia', 'Juli'])
      await add({ first_name, last_name: 'Etxano Sarria', phone: '+34600700700' })
    await score()
    const before = await allPairs()
    expect(before).not.toEqual([])
    await stack.sql('delete from public.identity_pairs')
    await stack.sql('select private.queue_everyone($1)', [organization])
    const waiting = `select private.identity_waiting($1, 1000) as all, (
      select count(*)::integer from private.identity_queue where organization_id = $1) as queued`
    const [{ all } = { all: 0 }] = await stack.sql<{ all: number }>(waiting, [organization])
    expect(all).toBeGreaterThan(4)
    const next = () => stack.sql('select private.queue_next($1, 2, 2)', [organization])
    await next()
    expect(await stack.sql(waiting, [organization])).toEqual([{ all, queued: 2 }])
    // As long as two wait, no more are queued.
    await next()
    expect(await stack.sql(waiting, [organization])).toEqual([{ all, queued: 2 }])
    await score()
    expect(await stack.sql(waiting, [organization])).toEqual([{ all: 0, queued: 0 }])
    expect(await allPairs()).toEqual(before)
  })

  it('are compared by two steps at once as by one', async () => {
    for (let n = 10; n < 40; n++)
      for (const last_name of ['Arrieta Lasa', 'Arrieta'])
        await add({
          first_name: 'Nerea',
          last_name,
          phone: `+346440${n}111`,
          birth_date: `19${n + 40}-03-04`,
        })
    await score()
    const before = await allPairs()
    await stack.sql('select private.queue_everyone($1)', [organization])
    const service = stackClient(stack, 'service')
    const lane = async () => {
      for (let more = true; more; ) {
        const answer = await service.rpc('score_customers', { p_organization: organization, p_limit: 4 })
        if (answer.error) throw answer.error
        more = z.object({ more: z.boolean() }).parse(answer.data).more
      }
    }
    await Promise.all([lane(), lane()])
    expect(await allPairs()).toEqual(before)
  })

  it('are never paired with those of another group, even when a blocking key is the same by chance', async () => {
    const person: Person = { first_name: 'Itziar', last_name: 'Zulaica', birth_date: '1981-02-03' }
    const here = await add({ ...person, email: 'itziar.z@gmail.com', phone: '+34699000111' })
    const [there] = await stack.sql<{ id: string; organization: string }>(
      `with other as (insert into public.organizations (name, slug) values ('Dos', 'dos') returning id)
       insert into public.customers (organization_id, first_name, last_name, email, phone, birth_date)
       select other.id, 'Itziar', 'Zulaica', 'itziar.z@gmail.com', '+34699000111', '1981-02-03' from other
       returning id::text, organization_id::text as organization`,
    )
    // As if both hashes were the same number.
    await stack.sql(
      `update private.customer_identity i set by_phone = o.by_phone, by_mailbox = o.by_mailbox
       from private.customer_identity o where i.customer_id = $1 and o.customer_id = $2`,
      [here, there?.id],
    )
    await score()
    await stack.sql('select private.score_step($1)', [there?.organization])
    expect(await pairsOf(here)).toEqual([])
    expect(await alike({ ...person, phone: '+34699000111' })).toMatchObject([{ id: here }])
  })

  it('are found by a phone with a wrong, a lost or a moved digit, under a pet name or none', async () => {
    await add({ first_name: 'Antonio', last_name: 'Goikoetxandia', phone: '+34612345678' })
    const found = async (first_name: string | undefined, phone: string) =>
      alike({ ...(first_name ? { first_name } : {}), last_name: 'Goikoetxandia', phone })
    for (const phone of ['+34612345679', '+34612395678', '+34652345678', '+34612354678', '+34612346789'])
      expect(await found('Toño', phone), phone).toMatchObject([{ reasons: { given: 'nickname' } }])
    for (const phone of ['+34612345679', '+34612395678', '+34652345678'])
      expect(await found(undefined, phone), phone).toMatchObject([{ reasons: { phone: 'close' } }])
  })

  it('are turned round when the fields of the names are mixed up', async () => {
    const id = await add({ first_name: 'Hernández Gómez', last_name: 'Teresa', phone: '+34622000111' })
    expect(await alike({ first_name: 'Tere', last_name: 'Hernandez', phone: '+34622000111' })).toMatchObject([
      { id, reasons: { given: 'nickname', surname: 'one_missing' } },
    ])
    const alone = await add({ first_name: 'José Antonio', phone: '+34622000222' })
    expect(
      await alike({ first_name: 'Jose Antonio', last_name: 'Irigarai', phone: '+34622000222' }),
    ).toMatchObject([{ id: alone, reasons: { given: 'exact' } }])
  })

  it('are two where only their names make their addresses alike', async () => {
    await add({
      first_name: 'Ana',
      last_name: 'Pérez',
      email: 'ana.perez@hotmail.com',
      phone: '+34633000111',
    })
    expect(
      await alike({
        first_name: 'Ana',
        last_name: 'Perez',
        email: 'ana_perez@hotmail.com',
        phone: '+34633999222',
      }),
    ).toEqual([])
    await add({ first_name: 'Manuel', last_name: 'Mendes', email: 'manuelmendes@gmail.com' })
    expect(
      await alike({ first_name: 'Manuela', last_name: 'Mendes', email: 'manuelamendes@gmail.com' }),
    ).toEqual([])
  })
})
