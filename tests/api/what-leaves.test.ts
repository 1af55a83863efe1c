import { beforeEach, expect, it } from 'vitest'
import { imagesBase } from '@/lib/email-design/address'
import { POSTAL_ADDRESS } from '../factories/group'
import { DECLARED, noQuietHours } from '../factories/messaging'
import {
  app,
  automate,
  group,
  resend,
  runAt,
  SITE,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { drawDesign, drawer, hasUnknown, NAMES, phrase, pick } from '../support/drawn-emails'
import { emailProblems } from '../support/email-html'
import { emptyTables } from '../support/empty-tables'

// Generated messages on the wire: drawn templates to guests of whom much or nothing is known.
withDelivery()
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers'))
  await sql('update public.organizations set control_share = 0, frequency_cap_days = 0')
})

/** As many templates; LEAVING=100 makes 10,000 messages. */
const GUESTS = Number(process.env.LEAVING || 30)
const TEMPLATES = GUESTS

it('none leaves empty, with a gap, an unknown variable, or without address and way out', async () => {
  const draw = drawer(19)
  for (let at = 0; at < GUESTS; at++)
    await sql(
      `insert into public.customers (organization_id, first_name, last_name, email, phone, total_spend, consents, location_id)
       values ($1, nullif(btrim($2), ''), nullif(btrim($3), ''), $4, $5, 500, $6, $7)`,
      [
        ...[
          group.id,
          pick(draw, NAMES),
          pick(draw, NAMES),
          `g${at}@example.com`,
          `+3461${String(at).padStart(7, '0')}`,
        ],
        ...[DECLARED, pick(draw, [null, group.locations[0]?.id])],
      ],
    )
  const unknown = new Set<string>()
  for (let at = 0; at < TEMPLATES; at++) {
    const [subject, body] = [phrase(draw, 3), phrase(draw, 5)]
    const isSms = draw(4) === 0
    const isDesigned = draw(2) === 0
    const email_design = drawDesign(draw, body)
    const id = await automate({
      ...{ type: 'vip_reward', criteria: { min_spend: 100 }, subject, body },
      ...(isSms ? { channel: 'sms' } : isDesigned ? { email_design } : {}),
    })
    if (hasUnknown(isSms ? body : subject + body)) unknown.add(id)
  }
  await runAt()

  for (const { email } of resend.accepted) {
    const { subject, text, html } = email as Record<'subject' | 'text' | 'html', string>
    const words = text.split('\n\n--\n')[0]?.replace(`Grupo Entrega\n${POSTAL_ADDRESS}`, '').trim() ?? ''
    expect(subject.trim()).not.toBe('')
    for (const part of [subject, words])
      expect(part).not.toMatch(/\{[{%]|^\s*,|(?:^|\s)[,.:;!?]|¡\s*!|[\ue000\ue001]/)
    expect(words).not.toBe('')
    for (const part of [text, html]) {
      expect(part).toContain(POSTAL_ADDRESS)
      expect(part).toContain(`${SITE}/u/`)
    }
    expect(html).not.toContain('<b>Leo')
    // The stack of the tests has no https.
    const online = html.replaceAll(imagesBase(), 'https://files.example/')
    expect(emailProblems(online, { address: POSTAL_ADDRESS, unsubscribe: `${SITE}/u/` })).toEqual([])
  }
  for (const { form } of twilio.accepted) {
    expect(String(form.Body)).toMatch(/.\nBAJA al \+34900000001$/s)
    expect(String(form.Body)).not.toMatch(/\{[{%]|(?:^|[ \t])[,.:;!?]/)
  }
  const stopped = await sql<{ automation_id: string; status: string; reason: string }>(
    `select distinct automation_id::text, status, reason from public.messages where status <> 'sent'`,
  )
  for (const { reason } of stopped) expect(['empty_message', 'template_unknown_variable']).toContain(reason)
  const failed = stopped.filter(({ reason }) => reason === 'template_unknown_variable')
  expect(new Set(failed.map(({ automation_id }) => automation_id))).toEqual(unknown)
  const all = await tally()
  expect(all.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(GUESTS * TEMPLATES)
  expect(resend.accepted.length + twilio.accepted.length).toBeGreaterThan((GUESTS * TEMPLATES) / 5)
}, 600_000)
