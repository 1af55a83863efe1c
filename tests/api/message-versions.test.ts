import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, group, guest, resend, runAt, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

// A message in several languages, on the wire: each guest gets theirs, who has none gets the group's.
withDelivery()

let ana: Client
let segment: string
beforeAll(async () => {
  ana = await signedIn(await group.person('marketing'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments', 'email_images'))
  await sql(
    `update public.organizations set control_share = 0, campaign_approve_above = null, language = 'es', sms_price = 0.1`,
  )
  const made = await ask('POST', '/api/segments', {
    ...{ name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } },
  })
  segment = made.body.data.id
})

const ask = async (method: string, path: string, body?: object) =>
  answer(await ana.request(method, path, { body }))

const english = { language: 'en', subject: 'The truffle, {{ first_name }}', body: 'Come, {{ first_name }}.' }
const french = { language: 'fr', subject: 'La truffe', body: 'Venez, {{ first_name }}.' }
const mail = {
  ...{ step: 1, channel: 'email', subject: 'La trufa', body: 'Ven, {{ first_name }}.' },
  versions: [english, french],
}
const people = (languages: Record<string, string | null>, more: object = {}) =>
  Promise.all(
    Object.entries(languages).map(([name, language]) =>
      guest({ first_name: name, email: `${name.toLowerCase()}@example.com`, language, ...more }),
    ),
  )
const draft = (messages: object[], more: object = {}) =>
  ask('POST', '/api/campaigns', { name: 'Otoño', segment_id: segment, messages, ...more })

/** Launches a draft to its guests and sends it. */
async function launch(id: string, guests: number): Promise<void> {
  const launched = await ask('POST', `/api/campaigns/${id}/launch`, { guests, version: 1 })
  expect(launched.status).toBe(200)
  await waitForDetachedWork()
  await runAt(new Date())
}

/** What the e-mail's provider got: subject and first line by address. */
const mails = () =>
  Object.fromEntries(
    resend.accepted.map(({ email }) => [
      String([email.to].flat()[0]),
      [email.subject, String(email.text).split('\n')[0]],
    ]),
  )

describe('a message with versions', () => {
  it('reaches each guest in their language, and those without one, or with another, in the group’s', async () => {
    await people({ Ana: 'es', Amy: 'en', Luc: 'fr', Udo: 'de', Eva: null })
    const { body } = await draft([mail])
    await launch(body.data.id, 5)
    const frenchMail = resend.accepted.find(({ email }) => email.subject === 'La truffe')?.email
    expect(frenchMail?.html).toMatch(/<html[^>]* lang="fr"/)
    expect(frenchMail?.html).toContain('Se désinscrire · Unsubscribe')
    expect(frenchMail?.text).toMatch(/\n--\nSe désinscrire · Unsubscribe: https/)
    expect(mails()).toEqual({
      'ana@example.com': ['La trufa', 'Ven, Ana.'],
      'amy@example.com': ['The truffle, Amy', 'Come, Amy.'],
      'luc@example.com': ['La truffe', 'Venez, Luc.'],
      'udo@example.com': ['La trufa', 'Ven, Udo.'],
      'eva@example.com': ['La trufa', 'Ven, Eva.'],
    })
  })

  it('follows the group’s language for guests without one', async () => {
    await sql(`update public.organizations set language = 'fr'`)
    await people({ Eva: null, Amy: 'en', Ana: 'es' })
    const { body } = await draft([mail])
    await launch(body.data.id, 3)
    expect(mails()['eva@example.com']).toEqual(['La truffe', 'Venez, Eva.'])
    expect(mails()['amy@example.com']).toEqual(['The truffle, Amy', 'Come, Amy.'])
    expect(mails()['ana@example.com']).toEqual(['La trufa', 'Ven, Ana.'])
  })

  it('goes by SMS, too, and as the language is when it leaves', async () => {
    const phones = { phone: '+34600000001' }
    const [amy] = await people({ Amy: null }, phones)
    const text = { step: 1, channel: 'sms', body: 'Ven', versions: [{ language: 'en', body: 'Come' }] }
    const { body } = await draft([text], { starts_local: '2030-01-01T12:00' })
    const launched = await ask('POST', `/api/campaigns/${body.data.id}/launch`, { guests: 1, version: 1 })
    expect(launched.body.data?.status).toBe('scheduled')
    await sql(`update public.customers set language = 'en' where id = $1`, [amy])
    await runAt(new Date('2030-01-01T12:00:00Z'))
    expect(twilio.accepted.map(({ form }) => form.Body)).toEqual(['Come\nSTOP to +34900000001'])
  })

  it('is kept, copied and changed like the rest of the message', async () => {
    const made = await draft([mail])
    expect(made.status).toBe(201)
    const kept = made.body.data.messages[0].versions
    expect(kept).toEqual([
      { ...english, email_design: null },
      { ...french, email_design: null },
    ])
    const copy = await ask('POST', `/api/campaigns/${made.body.data.id}/copy`)
    expect(copy.body.data.messages[0].versions).toEqual(kept)
    const changed = await ask('PATCH', `/api/campaigns/${made.body.data.id}`, {
      version: 1,
      messages: [{ ...mail, versions: [french] }],
    })
    expect(changed.body.data.messages[0].versions).toEqual([{ ...french, email_design: null }])
  })

  it.each<[string, object[], string]>([
    ['the same language twice', [english, english], 'messages.0.versions'],
    ['a language that is none of ours', [{ ...english, language: 'xx' }], 'messages.0.versions.0.language'],
    [
      'Liquid that cannot be read',
      [french, { ...english, body: '{{ first_name' }],
      'messages.0.versions.1.body',
    ],
    [
      'an image that is not stored',
      [
        {
          ...english,
          email_design: {
            blocks: [
              {
                ...{ id: 'a', type: 'image' },
                path: '11111111-1111-4111-8111-111111111111/22222222-2222-4222-8222-222222222222.png',
              },
            ],
          },
        },
      ],
      'messages.0.versions.0.email_design',
    ],
  ])('is refused at its field with %s', async (_, versions, path) => {
    const { status, body } = await draft([{ ...mail, versions }])
    expect(status).toBe(400)
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  it('needs what its channels need before it is launched', async () => {
    await people({ Amy: 'en' })
    const { body } = await draft([{ ...mail, versions: [{ ...english, subject: null }] }])
    const launched = await ask('POST', `/api/campaigns/${body.data.id}/launch`, { guests: 1, version: 1 })
    expect(launched.status).toBe(400)
    expect(launched.body.issues[0].path).toBe('messages.0.versions.0.subject')
    expect(resend.accepted).toEqual([])
  })
})

describe('the check before sending', () => {
  const check = async (messages: object[]) => {
    const { status, body } = await ask('POST', '/api/campaigns/preview', { segment_id: segment, messages })
    expect(status).toBe(200)
    return body.data.check
  }

  it('reads every version, and says in which language something is wrong', async () => {
    await people({ Amy: 'en', Luc: 'fr' })
    const found = await check([
      {
        ...mail,
        versions: [
          { ...english, subject: '{{ nothing }}' },
          { ...french, body: '{{ birthday }}' },
        ],
      },
    ])
    const byField = (one: { field: string }, other: { field: string }) => one.field.localeCompare(other.field)
    expect(found.blocking.toSorted(byField)).toEqual([
      { code: 'unknown_variable', field: 'messages.0.versions.0.subject', language: 'en' },
      { code: 'empty_for_some', field: 'messages.0.versions.0.subject', language: 'en', count: 1 },
      { code: 'empty_for_some', field: 'messages.0.versions.1.body', language: 'fr', count: 1 },
    ])
  })

  it('counts the guests of languages in which the message is not written', async () => {
    await people({ Ana: 'es', Amy: 'en', Udo: 'de', Uli: 'de', Eva: null })
    const foreign = { code: 'other_language', count: 2 }
    expect((await check([mail])).warnings).toContainEqual(foreign)
    expect((await check([{ ...mail, versions: [] }])).warnings).toContainEqual({ ...foreign, count: 3 })
    const copied = { language: 'de', subject: mail.subject, body: mail.body }
    expect((await check([{ ...mail, versions: [english, copied] }])).warnings).toContainEqual(foreign)
    const german = { ...english, language: 'de' }
    const all = await check([{ ...mail, versions: [english, german] }])
    expect(all.warnings.map(({ code }: { code: string }) => code)).not.toContain('other_language')
  })

  it('counts the SMS of each guest in their language', async () => {
    const long = 'x'.repeat(200)
    await people({ Ana: 'es', Amy: 'en' })
    await sql(
      `update public.customers set phone = case first_name when 'Ana' then '+34600000001' else '+34600000002' end`,
    )
    const { warnings } = await check([
      { step: 1, channel: 'sms', body: 'Ven', versions: [{ language: 'en', body: long }] },
    ])
    expect(warnings).toContainEqual({ code: 'cost', parts: 3, amount: 0.3 })
  })
})

describe('a preview, a test and what was sent', () => {
  it('are in the language asked for, else in the guest’s', async () => {
    const [amy] = await people({ Amy: 'en' })
    const preview = async (more: object) => {
      const { body } = await ask('POST', '/api/campaigns/preview', {
        segment_id: segment,
        messages: [mail],
        ...more,
      })
      return body.data.guest.messages[0].subject
    }
    expect(await preview({})).toBe('The truffle, Amy')
    expect(await preview({ language: 'fr' })).toBe('La truffe')
    expect(await preview({ language: 'es', customer_id: amy })).toBe('La trufa')
    expect(await preview({ language: 'de' })).toBe('La trufa')

    const { id } = (await draft([mail])).body.data
    const test = (more: object) => ask('POST', `/api/campaigns/${id}/test`, { step: 1, ...more })
    expect((await test({ customer_id: amy })).body.data.status).toBe('sent')
    expect((await test({ customer_id: amy, language: 'fr' })).body.data.status).toBe('sent')
    expect(resend.accepted.map(({ email }) => email.subject)).toEqual([
      '[Prueba] The truffle, Amy',
      '[Prueba] La truffe',
    ])

    await launch(id, 1)
    const sent = async (language: string) => ask('GET', `/api/campaigns/${id}/sent?language=${language}`)
    expect((await sent('fr')).body.data).toMatchObject({ language: 'fr', subject: 'La truffe' })
    expect((await sent('de')).body.data).toMatchObject({ language: 'es', subject: 'La trufa' })
    expect((await sent('xx')).status).toBe(400)
  })
})

describe('an automation', () => {
  const birthday = {
    ...{ name: 'Cumpleaños', type: 'birthday', channel: 'email', status: 'active' },
    ...{
      subject: 'Feliz día',
      body: 'Ven',
      versions: [{ language: 'en', subject: 'Happy day', body: 'Come' }],
    },
  }
  const tomorrow = () => new Date(Date.now() + 24 * 3600_000).toISOString().slice(5, 10)

  it('writes to each guest in their language', async () => {
    const made = await ask('POST', '/api/automations', birthday)
    expect(made.status).toBe(201)
    await people({ Ana: 'es', Amy: 'en' }, { birth_date: `1990-${tomorrow()}`, total_visits: 1 })
    await runAt(new Date())
    expect(mails()).toEqual({
      'ana@example.com': ['Feliz día', 'Ven'],
      'amy@example.com': ['Happy day', 'Come'],
    })
  })

  it('is not made active with a version that is not complete, and says which', async () => {
    const versions = [{ language: 'en', subject: null, body: 'Come' }]
    const made = await ask('POST', '/api/automations', { ...birthday, versions })
    expect(made.status).toBe(400)
    expect(made.body.issues[0].path).toBe('versions.0.subject')
  })

  it('tells who saved its languages meanwhile', async () => {
    const { id, versions } = (await ask('POST', '/api/automations', birthday)).body.data
    const theirs = [{ language: 'fr', subject: 'Bonne fête', body: 'Venez', email_design: null }]
    await ask('PATCH', `/api/automations/${id}`, { versions: theirs })
    const refused = await ask('PATCH', `/api/automations/${id}`, { versions: [], loaded: { versions } })
    expect(refused.status).toBe(409)
    expect(refused.body.current).toEqual({ versions: theirs })
  })

  it('does not send what was approved in one text when a version was changed meanwhile', async () => {
    await sql('update public.organizations set approve_above = 1')
    const { id } = (
      await ask('POST', '/api/automations', { ...birthday, type: 'vip_reward', criteria: { min_spend: 1 } })
    ).body.data
    await people({ Ana: 'es', Amy: 'en' }, { total_spend: 50, total_visits: 1 })
    await runAt(new Date())
    const [run] = await sql<{ id: string; status: string }>('select id, status from public.automation_runs')
    expect(run?.status).toBe('waiting_approval')
    await ask('PATCH', `/api/automations/${id}`, { versions: [] })
    const boss = await signedIn(await group.person('ceo'))
    await boss.request('POST', `/api/automations/runs/${run?.id}/approve`, { body: { guests: 2 } })
    await waitForDetachedWork()
    await runAt(new Date())
    expect(resend.accepted).toEqual([])
    await sql('update public.organizations set approve_above = null')
  })
})

describe('an image in a version', () => {
  it('cannot be deleted while the version shows it', async () => {
    const path = `${group.id}/22222222-2222-4222-8222-222222222222.png`
    const [image] = await sql<{ id: string }>(
      `insert into public.email_images (organization_id, path, name, content_type, bytes, width, height)
       values ($1, $2, 'Trufa', 'image/png', 100, 10, 10) returning id`,
      [group.id, path],
    )
    const design = { blocks: [{ id: 'a', type: 'image', path, alt: 'Trufa' }] }
    const made = await draft([{ ...mail, versions: [{ ...english, email_design: design }] }])
    expect(made.status).toBe(201)
    const refused = await ask('DELETE', `/api/email-images/${image?.id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.code).toBe('IMAGE_IN_USE')
  })
})
