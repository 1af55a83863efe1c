import { describe, expect, it } from 'vitest'
import { automate, group, guest, NOON, resend, runAt, sql, withDelivery } from '../support/delivery'
import { answer, signedIn } from '../support/sign-in'

withDelivery()

const email_design = {
  preheader: 'Para {{ first_name }}',
  blocks: [
    { id: 'a', type: 'heading', text: 'Hola {{ first_name }}', align: 'left' },
    { id: 'b', type: 'text', runs: [{ text: 'Sois de {{ tier }}.' }], align: 'left' },
    { id: 'c', type: 'button', label: 'Reservar', href: 'https://casa.example/{{ tier }}', align: 'left' },
    { id: 'd', type: 'button', label: 'Trampa', href: '{{ tier }}', align: 'left' },
  ],
}
const designed = (more: object = {}) =>
  automate({ type: 'vip_reward', criteria: { min_spend: 100 }, body: '', email_design, ...more })
const email = () => resend.accepted[0]?.email as Record<string, string>

/** The tier's name is a value like another: staff set it, and nothing may come of what it holds. */
async function guestOfTier(name: string): Promise<string> {
  await sql('delete from public.customers')
  const [tier] = await sql<{ id: string }>(
    `insert into public.loyalty_tiers (organization_id, name, rank)
     values ($1, $2, 90 + (select count(*) from public.loyalty_tiers)) returning id::text`,
    [group.id, name],
  )
  return guest({ first_name: 'Ana', email: 'ana@example.com', loyalty_tier_id: tier?.id })
}

describe('an e-mail with a design', () => {
  it('is sent as HTML and text, in the look of the brand, with its sender and the unsubscribe link', async () => {
    await guestOfTier('Oro-1')
    const [brand] = await sql<{ brand_id: string }>(
      `update public.locations set brand_id = coalesce(brand_id, (select id from public.brands limit 1))
       where organization_id = $1 returning brand_id::text`,
      [group.id],
    )
    await sql(
      `insert into public.email_looks (organization_id, brand_id, color, button_color, sender_name, from_email, reply_to)
       values ($1, null, '#111111', '#222222', 'El grupo', 'grupo@entrega.example', null),
         ($1, $2, '#004d40', null, 'Casa Lumbre', null, 'sala@lumbre.example')`,
      [group.id, brand?.brand_id],
    )
    await designed({ location_ids: group.locations.map(({ id }) => id) })
    await sql('update public.customers set location_id = $1', [group.locations[0]?.id])
    await runAt()
    expect(email()).toMatchObject({
      from: 'Casa Lumbre <grupo@entrega.example>',
      reply_to: 'sala@lumbre.example',
      to: 'ana@example.com',
    })
    expect(email().html).toContain('#004d40')
    expect(email().html).toContain('Hola Ana')
    expect(email().html).toContain('href="https://casa.example/Oro-1"')
    expect(email().html).toMatch(/href="https:\/\/crm\.example\/u\/[^"]+"[^>]*>Darse de baja/)
    expect(email().html).not.toContain('Trampa')
    expect(email().text).toMatch(/^Hola Ana\n\nSois de Oro-1\./)
    expect(email().text).toMatch(/Darse de baja · Unsubscribe: https:\/\/crm\.example\/u\//)
    // What was sent stays readable; its HTML does not fill the table.
    const [stored] = await sql<{ content: Record<string, unknown> }>('select content from public.messages')
    expect(stored?.content).toMatchObject({ body: expect.stringContaining('Hola Ana') })
    expect(stored?.content).not.toHaveProperty('html')
    await sql('delete from public.email_looks')
  })

  it.each(['<script>alert(1)</script>', '" onload="alert(1)', 'javascript:alert(1)', 'data:text/html,x'])(
    'keeps %s inert',
    async (name) => {
      await guestOfTier(name)
      await designed()
      await runAt()
      expect(email().html).toContain('Sois de ')
      expect(email().html).not.toMatch(/<script|" onload|href="(javascript|data):/)
      expect(email().html).not.toContain('Trampa')
    },
  )

  it('goes out again word for word after an outage, although the design has changed', async () => {
    await guestOfTier('Oro-2')
    const id = await designed()
    resend.setFault({ kind: 'error_before' })
    await runAt()
    const [waiting] = await sql<{ content: { html: string } }>('select content from public.messages')
    expect(waiting?.content.html).toContain('Hola Ana')
    await sql(
      `update public.automations set email_design = jsonb_set(email_design, '{blocks,0,text}', '"Otra"') where id = $1`,
      [id],
    )
    resend.setFault(null)
    await runAt(new Date(NOON.getTime() + 3_600_000))
    expect(email().html).toContain('Hola Ana')
  })

  it('is covered by the approval: changed meanwhile, it is not sent', async () => {
    await guestOfTier('Oro-3')
    await guest({ first_name: 'Bea', email: 'bea@example.com' })
    await sql('update public.organizations set approve_above = 1 where id = $1', [group.id])
    const id = await designed()
    await runAt()
    await sql(
      `update public.automations set email_design = jsonb_set(email_design, '{blocks,0,text}', '"Otra"') where id = $1`,
      [id],
    )
    await sql(`update public.automation_runs set status = 'running', expires_at = null`)
    await runAt(new Date(NOON.getTime() + 60_000))
    await sql('update public.organizations set approve_above = null where id = $1', [group.id])
    expect(resend.accepted).toEqual([])
    const reasons = await sql<{ reason: string }>('select distinct reason from public.messages')
    expect(reasons).toEqual([{ reason: 'message_changed' }])
  })

  it('is saved, previewed and tested over the API', async () => {
    await guestOfTier('Oro-4')
    const boss = await signedIn(await group.person('marketing'))
    const call = async (method: string, path: string, body?: unknown) =>
      answer(await boss.request(method, path, { body }))
    const draft = { type: 'vip_reward', channel: 'email', subject: 'Hola', criteria: { min_spend: 100 } }
    const { body: shown } = await call('POST', '/api/automations/preview', { ...draft, email_design })
    expect(shown.data.sample).toMatchObject({ body: expect.stringContaining('Hola Ana'), subject: 'Hola' })
    expect(shown.data.sample.html).toMatch(/Hola Ana[\s\S]*Unsubscribe/)
    expect(
      (await call('POST', '/api/automations/preview', { ...draft, body: 'Sin bloques' })).body.data.sample
        .html,
    ).toContain('Sin bloques')

    // No body is needed with a design.
    const named = { ...draft, name: 'Con diseño', status: 'active', email_design }
    const made = await call('POST', '/api/automations', named)
    expect([made.status, made.body.data.email_design]).toEqual([201, email_design])
    expect((await call('POST', `/api/automations/${made.body.data.id}/test`, {})).body.data.status).toBe(
      'sent',
    )
    expect(email()).toMatchObject({ subject: '[Prueba] Hola', html: expect.stringContaining('Hola Ana') })
    const plain = await call('PATCH', `/api/automations/${made.body.data.id}`, {
      email_design: null,
      body: 'Ya no',
    })
    expect(plain.body.data.email_design).toBeNull()

    const block = (one: object) => ({ ...draft, email_design: { blocks: [{ id: 'a', ...one }] } })
    expect(
      (await call('POST', '/api/automations/preview', block({ type: 'heading', text: 'x\n{{ y' }))).body
        .error,
    ).toMatch(/^email_design\.blocks\.0\.text: line 2: /)
    expect(
      (
        await call(
          'POST',
          '/api/automations/preview',
          block({ type: 'button', label: 'x', href: 'javascript:1' }),
        )
      ).body.issues,
    ).toEqual([{ path: 'email_design.blocks.0.href', code: 'link_scheme' }])
    const foreign = `${crypto.randomUUID()}/${crypto.randomUUID()}.png`
    expect(
      (await call('POST', '/api/automations/preview', block({ type: 'image', path: foreign }))).body.issues,
    ).toEqual([{ path: 'email_design', code: 'unknown' }])
  })
})
