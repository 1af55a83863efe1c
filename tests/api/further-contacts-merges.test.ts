import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { contactsBy } from '../support/further-contacts'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
let { create, read, change, merge, undo } = {} as ReturnType<typeof contactsBy>
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
  ;({ create, read, change, merge, undo } = contactsBy(g, boss))
})
beforeEach(() => g.sql(emptyTables('customers', 'suppressions', 'audit_log', 'rate_limits')))
afterAll(() => g?.app.close())

describe('further contacts', () => {
  it('a merge keeps all, and its undo gives each their own back', async () => {
    const ana = await create({ first_name: 'Ana', email: 'a@correo.example', emails: ['a2@correo.example'] })
    const eva = await create({
      ...{ first_name: 'Eva', email: 'e@correo.example', phone: '612345678' },
      ...{ emails: ['e2@correo.example'], phones: ['698765432'] },
    })
    const { merge_id, emails, phone, phones } = await merge(ana.id, eva.id)
    expect(emails.sort()).toEqual(['a2@correo.example', 'e2@correo.example', 'e@correo.example'])
    expect([phone, phones]).toEqual(['+34612345678', ['+34698765432']])
    await undo(merge_id)
    expect(await read(ana.id)).toEqual(ana)
    expect(await read(eva.id)).toEqual(eva)
  })

  it('the undo of a merge takes no e-mail that staff gave a third guest since', async () => {
    const ana = await create({ first_name: 'Ana', email: 'a@correo.example' })
    const eva = await create({ first_name: 'Eva', email: 'e@correo.example' })
    const { merge_id } = await merge(ana.id, eva.id)
    await change(ana.id, { emails: [] })
    const leo = await create({ first_name: 'Leo', emails: ['e@correo.example'] })
    await undo(merge_id)
    expect(await read(leo.id)).toEqual(leo)
    expect(await read(eva.id)).toMatchObject({ first_name: 'Eva', email: null })
  })

  it('the undo gives a phone back that both had, after a change of the list', async () => {
    const shared = '+34612345678'
    const ana = await create({ first_name: 'Ana', email: 'a@correo.example', phones: [shared] })
    const leo = await create({ first_name: 'Leo', email: 'l@correo.example' })
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, $3)`,
      [g.group.id, leo.id, shared],
    )
    const { merge_id } = await merge(ana.id, leo.id)
    await change(ana.id, { emails: ['l@correo.example', 'x@correo.example'] })
    expect((await undo(merge_id)).not_restored).toEqual({ kept: [], restored: [] })
    expect(await read(leo.id)).toMatchObject({ email: 'l@correo.example', phones: [shared] })
    expect(await read(ana.id)).toMatchObject({ emails: ['x@correo.example'], phones: [shared] })
  })

  const LEO = {
    ...{ first_name: 'Leo', email: 'l@correo.example', phone: '+34612345678' },
    ...{ emails: ['l2@correo.example'], phones: ['+34698765432'] },
  }

  it('the undo says what became the first one of the other since, and leaves no phone with two', async () => {
    const ana = await create({ first_name: 'Ana', email: 'a@correo.example' })
    const leo = await create(LEO)
    const { merge_id } = await merge(ana.id, leo.id)
    await change(ana.id, {
      ...{ email: 'l2@correo.example', emails: ['a@correo.example', 'l@correo.example'] },
      ...{ phone: '+34698765432', phones: ['+34612345678'] },
    })
    expect((await undo(merge_id)).not_restored).toEqual({
      kept: ['phone'],
      restored: ['emails', 'phones'],
    })
    expect(await read(leo.id)).toMatchObject({ ...LEO, emails: [], phones: [] })
    expect(await read(ana.id)).toMatchObject({
      ...{ email: 'l2@correo.example', emails: ['a@correo.example'] },
      ...{ phone: '+34698765432', phones: [] },
    })
  })

  it('the undo leaves a shared phone with who had it as a further one before', async () => {
    const ana = await create({ first_name: 'Ana', phone: '+34611111111', phones: [LEO.phone] })
    const leo = await create(LEO)
    const { merge_id } = await merge(ana.id, leo.id)
    expect((await undo(merge_id)).not_restored).toEqual({ kept: [], restored: [] })
    expect(await read(ana.id)).toEqual(ana)
    expect(await read(leo.id)).toEqual(leo)
  })

  it('the undo gives back what staff took from the list since, unless a third guest has it', async () => {
    const ana = await create({ first_name: 'Ana', email: 'a@correo.example' })
    const leo = await create(LEO)
    const { merge_id } = await merge(ana.id, leo.id)
    await change(ana.id, { emails: [], phones: [] })
    const eva = await create({ first_name: 'Eva', phones: LEO.phones })
    expect((await undo(merge_id)).not_restored).toEqual({ kept: [], restored: ['phones'] })
    expect(await read(leo.id)).toMatchObject({ ...LEO, phones: [] })
    expect(await read(eva.id)).toEqual(eva)
  })
})
