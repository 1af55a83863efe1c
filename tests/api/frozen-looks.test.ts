import { beforeAll, beforeEach, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, automate, group, guests, resend, runAt, sql, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// What was approved is what is sent: logo, colours, sender and footer stay as they were when the send was launched.
withDelivery()

let asker: Client
let second: Client
beforeAll(async () => {
  asker = await signedIn(await group.person('marketing'))
  second = await signedIn(await group.person('ceo'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments', 'email_looks', 'email_images'))
  await sql(
    'update public.organizations set approve_above = 1, campaign_approve_above = 1, control_share = 0',
  )
  await guests(2)
})

const email_design = {
  preheader: '',
  blocks: [
    { id: 'b', type: 'text', runs: [{ text: 'Hola' }], align: 'left' },
    { id: 'c', type: 'button', label: 'Reservar', href: 'https://casa.example/', align: 'left' },
  ],
}
const LOGO = 'b0000000-0000-4000-8000-000000000001'
const imageOf = (id: string) => `${group.id}/${id}.png`
/** Gives the group's e-mails a look. */
const look = (name: string, color: string, logo: string) =>
  sql(
    `insert into public.email_looks as l (organization_id, logo, color, button_color, sender_name, reply_to, footer)
     values ($1, $2, $3, $3, $4, $5, $6) on conflict (organization_id, brand_id) do update set logo = excluded.logo,
       color = excluded.color, button_color = excluded.button_color, sender_name = excluded.sender_name,
       reply_to = excluded.reply_to, footer = excluded.footer`,
    [group.id, logo, color, name, `${name.toLowerCase()}@casa.example`, `Pie de ${name}`],
  )
const lookUno = () => look('Uno', '#004d40', imageOf(LOGO))
const lookDos = () => look('Dos', '#b71c1c', imageOf('b0000000-0000-4000-8000-000000000002'))

/** Compares the e-mails that were sent with a look. */
function expectSentAs(name: 'Uno' | 'Dos') {
  const other = name === 'Uno' ? 'Dos' : 'Uno'
  const [color, otherColor] = name === 'Uno' ? ['#004d40', '#b71c1c'] : ['#b71c1c', '#004d40']
  expect(resend.accepted).toHaveLength(2)
  for (const { email } of resend.accepted) {
    const { from, reply_to, html } = email as { from: string; reply_to: string; html: string }
    expect(from).toMatch(new RegExp(`^${name} <`))
    expect(reply_to).toBe(`${name.toLowerCase()}@casa.example`)
    expect(html).toContain(color)
    expect(html).toContain(`Pie de ${name}`)
    expect(html).not.toContain(otherColor)
    expect(html).not.toContain(`Pie de ${other}`)
  }
}

async function campaign() {
  const shared = { name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } }
  const segment = await answer(await asker.request('POST', '/api/segments', { body: shared }))
  const body = {
    ...{ name: 'Otoño', segment_id: segment.body.data.id, control_share: 0 },
    messages: [{ step: 1, channel: 'email', subject: 'Hola', email_design }],
  }
  const made = await answer(await asker.request('POST', '/api/campaigns', { body }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const seen = { guests: 2, version: 1 }
  const move = async (who: Client, way: string) => {
    const moved = await answer(
      await who.request('POST', `/api/campaigns/${made.body.data.id}/${way}`, { body: seen }),
    )
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    await waitForDetachedWork()
    return moved.body.data.status
  }
  /** The HTML that the approver is shown. */
  const shown = async () => {
    const preview = { id: made.body.data.id, ...body }
    const { data } = (await answer(await second.request('POST', '/api/campaigns/preview', { body: preview })))
      .body
    return data.guest.messages[0].html as string
  }
  return { move, shown }
}

it('a campaign is sent in the look it was launched with', async () => {
  await lookUno()
  const { move, shown } = await campaign()
  expect(await move(asker, 'launch')).toBe('waiting_approval')
  await lookDos()
  expect(await shown()).toContain('#004d40')
  await move(second, 'approve')
  expectSentAs('Uno')
})

it('a campaign that was refused is launched again in the look of then', async () => {
  await lookUno()
  const { move } = await campaign()
  await move(asker, 'launch')
  expect(await move(second, 'refuse')).toBe('draft')
  await lookDos()
  await move(asker, 'launch')
  await move(second, 'approve')
  expectSentAs('Dos')
})

/** Stores the logo of the look Uno. Returns a function that asks to delete it. */
async function logo() {
  const [image] = await sql<{ id: string }>(
    `insert into public.email_images (organization_id, path, name, content_type, bytes, width, height)
     values ($1, $2, 'Logo', 'image/png', 100, 10, 10) returning id::text`,
    [group.id, imageOf(LOGO)],
  )
  return () => asker.request('DELETE', `/api/email-images/${image?.id}`)
}

it('the logo of a launched campaign is not deleted', async () => {
  const remove = await logo()
  await lookUno()
  const { move } = await campaign()
  await move(asker, 'launch')
  await lookDos()
  expect(await answer(await remove())).toEqual(refusal('IMAGE_IN_USE'))
})

async function runOfAutomation() {
  const criteria = { min_spend: 100 }
  const id = await automate({ type: 'vip_reward', criteria, channel: 'email', body: '', email_design })
  await asker.request('POST', `/api/automations/${id}/run`)
  return id
}

it('the logo of a run that waits for its approval is not deleted', async () => {
  const remove = await logo()
  await lookUno()
  const id = await runOfAutomation()
  await lookDos()
  expect(await answer(await remove())).toEqual(refusal('IMAGE_IN_USE'))
  const { body } = await answer(await asker.request('GET', `/api/automations/${id}/runs`))
  await second.request('POST', `/api/automations/${id}/runs/${body.data[0].id}/refuse`)
  expect((await remove()).status).toBe(204)
})

it('a run of an automation is sent in the look that its approval was asked for', async () => {
  await lookUno()
  const id = await runOfAutomation()
  const { body } = await answer(await asker.request('GET', `/api/automations/${id}/runs`))
  expect(body.data[0]).toMatchObject({ status: 'waiting_approval' })
  await lookDos()
  const approved = await second.request('POST', `/api/automations/${id}/runs/${body.data[0].id}/approve`, {
    body: { guests: 2 },
  })
  expect(approved.status).toBe(200)
  await waitForDetachedWork()
  await runAt(new Date())
  expectSentAs('Uno')
})
