import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { createCustomer, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let marketing: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Plantilla', [
    { name: 'Norte', slug: 'norte', averageSpend: 30 },
  ])
  marketing = await signedIn(await group.person('marketing'))
  await noQuietHours(app.stack)
})
beforeEach(() => app.stack.sql(emptyTables('automations', 'messages', 'customers', 'rate_limits')))
afterAll(() => app?.close())

const DRAFT = { type: 'vip_reward', channel: 'email', subject: 'Hola', criteria: { min_spend: 1 } }

async function preview(body: string) {
  await app.stack.sql('delete from public.rate_limits')
  const draft = { ...DRAFT, body }
  return answer(await marketing.request('POST', '/api/automations/preview', { body: draft }))
}
const health = async () => (await app.client().request('GET', '/api/health')).status
const guest = (row: object = {}) =>
  createCustomer(app.stack, group.id, {
    email: 'ana@example.com',
    first_name: 'Ana',
    total_spend: 100,
    ...row,
  })

const ATTACK = `{% assign a=(1..20000) %}{% assign b=a | where_exp:"i","a contains 99999999" %}{{b|size}}`
const nested = (depth: number, inner: string) =>
  `${'{% for i in (1..100) %}'.repeat(depth)}${inner}${'{% endfor %}'.repeat(depth)}`
const SLOW = nested(2, '{%if a%}{%endif%}'.repeat(570))
const doubled = (times: number) =>
  `{% assign a = "0123456789" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(times)}`

it('answers others while a template that never ends is previewed, and refuses it in words', async () => {
  await guest()
  let ended = false
  const attack = preview(ATTACK).finally(() => {
    ended = true
  })
  const others: number[] = []
  do others.push(await health())
  while (!ended)
  expect(await attack).toEqual(invalid('body', 'template_range'))
  expect(await preview(ATTACK.replace('20000', '99'))).toEqual(invalid('body', 'template_unknown_filter'))
  expect(new Set(others)).toEqual(new Set([200]))
}, 60_000)

const HOSTILE: [string, string][] = [
  ['nested loops', nested(4, '{{ first_name }}')],
  ['loops without output', nested(4, '{% assign x = "a" %}')],
  ['a long loop of little', SLOW],
  ['loops too deep', nested(30, 'x')],
  ['a huge range', '{% for i in (1..100000000) %}x{% endfor %}'],
  ['a range in a filter', '{{ "a" | append: (1..100000000) }}'],
  ['a range by variables', '{% assign n = 1000000000 %}{% assign a = (1..n) %}{{ a | size }}'],
  ['a range of fractions', '{% for i in (0.1..99999999.5) %}x{% endfor %}'],
  [
    'a replacement of everything',
    `{% assign a = "${'a'.repeat(9000)}" %}{{ a | replace: "a", a | replace: "a", a }}`,
  ],
  [
    'replacements of replacements',
    `{% assign a = "${'a'.repeat(900)}" %}${'{% assign a = a | replace: "a", a %}'.repeat(5)}{{ a }}`,
  ],
  [
    'splits and joins',
    `{% assign a = "${'a'.repeat(9000)}" %}${'{% assign a = a | split: "" | join: a %}'.repeat(5)}{{ a }}`,
  ],
  ['captures that double', `${doubled(40)}{{ a }}`],
  ['captures that double, unseen', doubled(40)],
  ['a padded date', `{{ "now" | date: "%999999999d" }}`],
  ['a date of many parts', `{{ "now" | date: "${'%c'.repeat(4900)}" }}`],
  ['a regular expression', `{{ "${'a'.repeat(40)}!" | split: "(a+)+$" | size }}`],
  ['unclosed outputs', '{{'.repeat(5000)],
  ['unclosed tags', '{%'.repeat(5000)],
  ['braces', '{'.repeat(10_000)],
  ['deep conditions', `${'{% if 1 %}'.repeat(470)}x${'{% endif %}'.repeat(470)}`],
  ['unclosed conditions', '{% if a %}'.repeat(1000)],
  ['deep parentheses', `{{ ${'('.repeat(9900)} }}`],
  ['deep properties', `{{ a${'[a'.repeat(4900)} }}`],
  ['a long condition', `{% if ${'a or '.repeat(1990)}a %}x{% endif %}`],
  ['long quotes', `{{ "${'\\"'.repeat(4900)}`],
  ['the prototype', '{{ first_name.constructor.constructor }}{{ __proto__ }}{{ "a".__proto__ }}'],
  ['a file', `{% include '/etc/passwd' %}`],
  ['a layout', `{% layout 'a' %}`],
  ['JSON of what there is', '{{ first_name | json }}'],
  ['numbers without end', '{{ 1 | divided_by: 0 }}{{ 1e308 | times: 1e308 | round: 9999 }}'],
]

it.each(HOSTILE)(
  'ends %s within a bound and lives on',
  async (_, body) => {
    await guest()
    expect(body.length).toBeLessThanOrEqual(10_000)
    const before = process.memoryUsage().rss
    const [hostile, other] = await Promise.all([preview(body), health()])
    expect([200, 400]).toContain(hostile.status)
    expect(hostile.body.error ?? '').not.toMatch(/Too (big|long)/)
    expect(other).toBe(200)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
    // The thread that had to end has a successor.
    expect((await preview('Hola {{ first_name }}')).body.data.sample.body).toBe('Hola Ana')
  },
  10_000,
)

it('gives up a template that takes too long when it is sent, once for all, and sends the others', async () => {
  for (const name of ['ana', 'berta', 'carla', 'dora']) await guest({ email: `${name}@example.com` })
  const run = async (name: string, body: string) => {
    const automation = { ...DRAFT, name, body, status: 'active' }
    const made = await answer(await marketing.request('POST', '/api/automations', { body: automation }))
    expect(made).toMatchObject({ status: 201 })
    return answer(await marketing.request('POST', `/api/automations/${made.body.data.id}/run`))
  }
  const counts = () =>
    app.stack.sql(
      'select status, reason, count(*)::int from public.messages group by status, reason order by status',
    )
  await app.stack.sql('update public.organizations set frequency_cap_days = 0')
  expect((await run('Lenta', SLOW)).body).toMatchObject({ sent: 0, failed: 4 })
  const failed = { status: 'failed', reason: 'template_too_slow', count: 4 }
  expect(await counts()).toEqual([failed])
  expect((await run('Pronta', 'Hola {{ first_name }}')).body).toMatchObject({ sent: 4, failed: 0 })
  expect(await counts()).toEqual([failed, { status: 'sent', reason: null, count: 4 }])
}, 60_000)
