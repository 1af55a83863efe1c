import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { canonicalEmail } from '@/lib/contact/email'
import { migrationsOf, readReleases } from '@/supabase/release/releases'
import { makeDatabase } from '../support/postgres/compare'
import { databaseUrl } from '../support/postgres/server'
import cases from '../text-cases.json'
import { loadData } from './data'
import { type Deployment, makeDeployment, query } from './deployment'

// As 0.1.0 stored them: as they were typed, in lower case.
const TYPED = [
  'ana@münchen.example',
  'bea@mu\u0308nchen.example',
  'ana@straße.example',
  'ana@col·legi.example',
  'eva@coŀlegi.example',
  'ana@пример.рф',
  'ana@例え.テスト',
  'ana@bücher.ärzte.example',
  'ana@한국어.example',
  'ana@ελληνικά.example',
  'ana@ｅｘａｍｐｌｅ.example',
  'ana@ﬁ.example',
  'ana@a-b-ñ.example',
  `ana@${'ñ'.repeat(40)}.example`,
  'ana@xn--mnchen-3ya.test',
  'ana@example.net',
  'jose\u0301@example.net',
  '\u200beva@example.net',
  'ana@example.org\u200b',
  'ana@co\u00admpany.example',
  'zoe@example.net.',
  'leo@example.net;',
  '<pau@example.net>',
  'mailto:noa@example.net',
  'mailto:uma@example.net?subject=x',
  "'ivo@example.net'",
  '"lia@example.net"',
  '“mia@example.net”',
  "'gil@example.net';",
]
// No e-mail by the new rule, nor brought into another form.
const LEFT = ['a..b@example.net', 'ana@नी\u200d.example', 'ana@exa_mple.net']
const EMAILS = [
  ...TYPED,
  ...LEFT,
  ...new Set(cases.email.flatMap(({ out }) => (out?.includes('xn--') ? [] : (out ?? [])))),
]
const quoted = (texts: string[]) => `array[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join()}]`

describe.runIf(process.env.STACK === 'postgres')('addresses that 0.1.0 stored', () => {
  let deployment: Deployment
  let database: string
  const read = async (sql: string) =>
    (await query<{ email: string }>(database, sql)).map(({ email }) => email)
  beforeAll(async () => {
    deployment = makeDeployment(
      'config.toml',
      ...migrationsOf('0.1.0', readReleases()).map((file) => join('migrations', file)),
    )
    database = await makeDatabase(inject('postgres'), async () => {})
    await deployment.push(database)
    loadData('0.1.0', databaseUrl(inject('postgres'), database))
    const group = `(select id from public.organizations order by created_at limit 1)`
    await query(
      database,
      `insert into public.customers (organization_id, email, first_name)
         select ${group}, e, 'Stored' from unnest(${quoted(EMAILS)}) as e;
       insert into public.customer_aliases (organization_id, customer_id, email)
         select organization_id, id, replace(email, '@', '.b@') from public.customers where first_name = 'Stored';
       insert into public.suppressions (organization_id, channel, address, reason)
         select organization_id, 'email', email, 'unsubscribe' from public.customers where first_name = 'Stored';
       insert into public.customers (organization_id, email, first_name)
         values (${group}, 'eva@ñu.example', 'Twin'), (${group}, 'eva@xn--u-qga.example', 'Twin'),
           (${group}, 'kim@ñu.example', 'Twin'), (${group}, 'kim@n\u0303u.example', 'Twin');
       insert into public.suppressions (organization_id, channel, address, reason)
         values (${group}, 'email', 'eva@ñu.example', 'complaint'), (${group}, 'email', 'eva@xn--u-qga.example', 'unsubscribe'),
           (${group}, 'email', 'kim@n\u0303u.example', 'unsubscribe'), (${group}, 'email', 'leo@ñu.example', 'bounce'),
           (${group}, 'email', 'leo@n\u0303u.example', 'stop');
       insert into public.suppressions (organization_id, channel, address, reason, created_at)
         values (${group}, 'sms', '+34600009001', 'stop', '2025-03-01Z'), (${group}, 'whatsapp', '+34600009002', 'stop', '2025-03-02Z'),
           (${group}, 'sms', '+34600009002', 'bounce', '2025-03-03Z'), (${group}, 'whatsapp', 'ES.900', 'stop', '2025-03-04Z'),
           (${group}, 'sms', '+34600009003', 'manual', '2025-03-05Z');
       insert into public.customers (organization_id, email, first_name, tags)
         values (${group}, 'own@ñu.example', 'Own', array['VIP\u00a0Oro', 'VIP Oro', 'so\u00adft ', '\u200b']);
       insert into public.customer_aliases (organization_id, customer_id, email)
         select organization_id, id, 'own@xn--u-qga.example' from public.customers where first_name = 'Own';
       insert into public.segments (organization_id, name, definition)
         values (${group}, 'Stored', '{"and": [{"field": "tag", "any": ["VIP\u00a0Oro"]}]}');
       update public.reservations set staff_marks = '{"notes": "Vino\u00a0tinto"}'
         where id = (select id from public.reservations order by id desc limit 1);
       update public.reservations set customer_email = 'eva@ñu.example'
         where id = (select id from public.reservations order by id limit 1)`,
    )
    deployment.add('migrations')
    await deployment.push(database)
  })
  afterAll(() => deployment?.remove())

  it('are in the form that this version compares, wherever they stand', async () => {
    const wanted = EMAILS.map((email) => (LEFT.includes(email) ? email : canonicalEmail(email))).sort()
    const sorted = async (sql: string) => (await read(sql)).sort()
    expect(await sorted(`select email from public.customers where first_name = 'Stored'`)).toEqual(wanted)
    expect(
      await sorted(`select replace(a.email, '.b@', '@') as email from public.customer_aliases a join public.customers c
        on c.id = a.customer_id and c.first_name = 'Stored' where a.email like '%.b@%'`),
    ).toEqual(expect.arrayContaining(wanted))
    expect(
      await sorted(`select address as email from public.suppressions s where exists (select from public.customers c
        where c.organization_id = s.organization_id and c.email = s.address and c.first_name = 'Stored')`),
    ).toEqual(wanted)
    expect(
      await read(`select customer_email as email from public.reservations where customer_email like 'eva@%'`),
    ).toEqual(['eva@xn--u-qga.example'])
  })

  it('stay as they are where another guest has the form', async () => {
    const twins = await read(`select email from public.customers where first_name = 'Twin'`)
    expect(twins.filter((email) => email.startsWith('eva')).sort()).toEqual([
      'eva@xn--u-qga.example',
      'eva@ñu.example',
    ])
    // Of two in former forms one takes the new one.
    const kims = twins.filter((email) => email.startsWith('kim'))
    expect([kims.length, kims.filter((email) => email === 'kim@xn--u-qga.example').length]).toEqual([2, 1])
  })

  it('stay suppressed in each form, by the strongest reason and with the opt-out', async () => {
    const left = `select c.email from public.customers c where c.first_name = 'Twin' and not exists (
      select from public.suppressions s where s.organization_id = c.organization_id and s.address = c.email)`
    expect(await query(database, left)).toEqual([])
    const found = await query<Record<string, string>>(
      database,
      `select address, reason, opt_out from public.suppressions where address ~ '^(eva|kim|leo)@.*u'`,
    )
    const reasons = found.map(({ address, reason, opt_out }) =>
      [address, reason, opt_out].filter(Boolean).join(' '),
    )
    expect(reasons).toEqual(
      expect.arrayContaining([
        'eva@xn--u-qga.example complaint',
        'eva@ñu.example complaint',
        'kim@xn--u-qga.example unsubscribe',
        'leo@xn--u-qga.example bounce stop',
      ]),
    )
  })

  it('of a guest who has both forms are theirs in the new one, and the former finds them', async () => {
    const own = `select c.email as mail, a.email from public.customers c join public.customer_aliases a
      on a.customer_id = c.id where c.first_name = 'Own'`
    expect(await query(database, own)).toEqual([{ mail: 'own@xn--u-qga.example', email: 'own@ñu.example' }])
  })

  it('come with tags, segments and marks without odd blanks', async () => {
    expect(await query(database, `select tags from public.customers where first_name = 'Own'`)).toEqual([
      { tags: ['VIP Oro', 'soft'] },
    ])
    expect(await query(database, `select definition from public.segments where name = 'Stored'`)).toEqual([
      { definition: { and: [{ field: 'tag', any: ['VIP Oro'] }] } },
    ])
    const marks = `select staff_marks as marks from public.reservations where staff_marks ->> 'notes' like 'Vino%tinto'`
    expect(await query(database, marks)).toEqual([{ marks: { notes: 'Vino tinto' } }])
  })

  it('leave a STOP of one channel of a number standing for SMS and WhatsApp, since its day', async () => {
    const found = await query<{ line: string }>(
      database,
      `select concat_ws(' ', channel, address, reason, opt_out, (created_at at time zone 'UTC')::date) as line
       from public.suppressions where address like '+3460000900_' or address = 'ES.900'
       order by address, channel desc`,
    )
    expect(found.map(({ line }) => line)).toEqual([
      'whatsapp +34600009001 stop 2025-03-01',
      'sms +34600009001 stop 2025-03-01',
      'whatsapp +34600009002 stop 2025-03-02',
      'sms +34600009002 bounce stop 2025-03-03',
      'sms +34600009003 manual 2025-03-05',
      'whatsapp ES.900 stop 2025-03-04',
    ])
  })
})
