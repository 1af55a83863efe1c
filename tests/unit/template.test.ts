import { Worker } from 'node:worker_threads'
import { expect, it, vi } from 'vitest'
import { renderTemplates, TemplateError, templateMistake } from '@/lib/messaging/template'

const render = async (text: string, variables: Record<string, unknown> = {}) => {
  const [answer] = await renderTemplates('people', [{ texts: [text], variables }])
  return answer instanceof TemplateError ? answer : answer?.[0]
}
// No single limit of LiquidJS's stops it, and it goes on for seconds.
const SLOW = `{% for i in (1..100) %}{% for i in (1..100) %}${'{%if a%}{%endif%}'.repeat(1100)}{% endfor %}{% endfor %}`
const LOOPS = '{% for i in (1..100) %}'.repeat(30)

it('renders many in order, each failure with its code', async () => {
  const items = [
    'Hola {{ name }}',
    '{{ name | date',
    SLOW,
    '{% for i in (1..3) %}{{ i }}{% endfor %}',
    SLOW,
  ].map((text) => ({ texts: [text], variables: { name: 'Ana' } }))
  expect(await renderTemplates('people', items)).toEqual([
    ['Hola Ana'],
    expect.objectContaining({ code: 'template_output_open', line: 1 }),
    expect.objectContaining({ code: 'template_too_slow' }),
    ['123'],
    expect.objectContaining({ code: 'template_too_slow' }),
  ])
})

it('gives the line of what cannot be rendered', async () => {
  expect(await render('Hola\n{% for a in (1..101) %}x{% endfor %}')).toMatchObject({ line: 2 })
})

it('returns the first mistake and where it is', async () => {
  expect(await templateMistake(['Hola', '{{ name }}', ''])).toBeNull()
  expect(await templateMistake(['Hola', 'a\n{% tablerow i in a %}', '{{'])).toMatchObject({
    index: 1,
    error: { code: 'template_unknown_tag', what: 'tablerow', line: 2 },
  })
})

const MISTAKES: [text: string, code: string, what: string, line?: number][] = [
  ['Hola\n{{ first_name', 'output_open', '', 2],
  ['Hola {{ "}}', 'output_open', ''],
  ['Hola\n{% if tier', 'tag_open', 'if', 2],
  ['{%', 'tag_open', '{%'],
  ['{% raw %}{{ tier }}', 'tag_open', 'raw'],
  ['Hola\n{% if tier %}x', 'tag_open', 'if', 2],
  ['{% if a %}\n{% for i in (1..3) %}{% endif %}', 'unknown_tag', 'endif', 2],
  ['{% if a %}\n{% if b %}x{% endif %}', 'tag_open', 'if'],
  ['{% capture a %}x', 'tag_open', 'capture'],
  ['{% comment %}x', 'tag_open', 'comment'],
  ['{% regalo %}', 'unknown_tag', 'regalo'],
  ['{% constructor %}', 'unknown_tag', 'constructor'],
  ['\n\n{{ tier | grita }}', 'unknown_filter', 'grita', 3],
  ['{{ tier | toString }}', 'unknown_filter', 'toString'],
  ['Hola\n{% if %}x{% endif %}', 'value', '', 2],
  ['{% if {{ tier }} %}x{% endif %}', 'value', '{{ tier }}'],
  ['{% for i in (1..101) %}{% endfor %}', 'range', '(1..101)'],
  ['{{ "a" | append: (1..n) }}', 'range', '(1..n)'],
  ['{% for x %}{% endfor %}', 'invalid', '{% for x %}'],
  ['{% for i in (1..3) %}{% endfor x %}', 'invalid', '{% for i in (1..3) %}'],
  ['{{ "a" | append }}', 'invalid', '{{ "a" | append }}'],
  ['{% for i in (1..100) %}{% for i in (1..100) %}0123456789{% endfor %}{% endfor %}', 'too_long', ''],
  ['{{ "now" | date: "%999999999d" }}', 'too_slow', ''],
]

it('limits what it parses', async () => {
  expect(await render('x'.repeat(20_001))).toMatchObject({ code: 'template_too_long' })
})

it.each(MISTAKES)('gives a code to what is wrong: %s', async (text, code, what, line) => {
  const error = await render(text)
  expect(error).toMatchObject({ code: `template_${code}`, what, ...(line ? { line } : {}) })
})

it('knows what messages are written with, and nothing else', async () => {
  const variables = { name: 'ana ruiz', visits: 3, date: '21/11/2026' }
  const written = `{% if visits > 2 and name contains "ruiz" %}{{ name | capitalize }}{% elsif visits == 1 %}-{% else %}-{% endif %}
    {%- case visits %}{% when 3 %}, tres{% endcase %}{% unless date %}-{% endunless %}{% comment %}-{% endcomment %}
    {%- capture next %}{{ visits | plus: 1 }}{% endcapture %}, {{ next }}, {{ missing | default: "amigo" | upcase }}
    {%- assign parts = date | split: "/" %}, {{ parts | last }}{% raw %}, {{ }}{% endraw %}{% # nothing %}, {{ "a b" | url_encode }}`
  expect(await render(written, variables)).toBe('Ana ruiz, tres, 4, AMIGO, 2026, {{ }}, a+b')
  for (const tag of [
    'include',
    'render',
    'layout',
    'block',
    'cycle',
    'tablerow',
    'liquid',
    'echo',
    'increment',
  ])
    expect(await render(`{% ${tag} a %}`)).toMatchObject({ code: 'template_unknown_tag' })
  for (const filter of [
    'where_exp',
    'find_exp',
    'group_by_exp',
    'map',
    'sort',
    'json',
    'raw',
    'strip_html',
    'xml_escape',
  ])
    expect(await render(`{{ a | ${filter} }}`)).toMatchObject({ code: 'template_unknown_filter' })
})

it('gives a thread up that it had to end, and starts another', async () => {
  expect(await render(SLOW)).toMatchObject({ code: 'template_too_slow' })
  expect(await render('Hola {{ name }}', { name: 'Ana' })).toBe('Hola Ana')
})

it('takes the answer of a template that ends while its time is read', async () => {
  const read = vi.spyOn(Worker.prototype, 'cpuUsage').mockImplementation(function (this: Worker) {
    const idle = () => this.performance.eventLoopUtilization().idle
    const before = idle()
    while (idle() === before) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    return Promise.resolve({ user: 1e9, system: 0 })
  })
  const answer = await render(`${LOOPS}x${'{% endfor %}'.repeat(30)}`)
  expect(read).toHaveBeenCalled()
  read.mockRestore()
  expect(answer).toMatchObject({ code: 'template_too_slow', message: 'memory alloc limit exceeded' })
})
