import { expect, it } from 'vitest'
import { renderTemplates, TemplateError, templateMistake } from '@/lib/messaging/template'

const render = async (text: string, variables: Record<string, unknown> = {}) => {
  const [answer] = await renderTemplates('people', [{ texts: [text], variables }])
  return answer instanceof TemplateError ? answer : answer?.[0]
}
// No single limit of LiquidJS's stops it, and it goes on for seconds.
const SLOW = `{% for i in (1..100) %}{% for i in (1..100) %}${'{%if a%}{%endif%}'.repeat(1100)}{% endfor %}{% endfor %}`

it('renders many in order, and says of each that fails why', async () => {
  const items = [
    'Hola {{ name }}',
    '{{ name | date',
    SLOW,
    '{% for i in (1..3) %}{{ i }}{% endfor %}',
    SLOW,
  ].map((text) => ({ texts: [text], variables: { name: 'Ana' } }))
  expect(await renderTemplates('people', items)).toEqual([
    ['Hola Ana'],
    expect.objectContaining({ message: expect.stringContaining('not closed'), line: 1 }),
    expect.objectContaining({ message: 'took too long' }),
    ['123'],
    expect.objectContaining({ message: 'took too long' }),
  ])
})

it('tells the line of what cannot be rendered', async () => {
  expect(await render('Hola\n{% for a in (1..101) %}x{% endfor %}')).toMatchObject({ line: 2 })
})

it('tells the first mistake and where it is', async () => {
  expect(await templateMistake(['Hola', '{{ name }}', ''])).toBeNull()
  expect(await templateMistake(['Hola', 'a\n{% tablerow i in a %}', '{{'])).toMatchObject({
    index: 1,
    error: { message: 'tag "tablerow" not found', line: 2 },
  })
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
    expect(await render(`{% ${tag} a %}`)).toMatchObject({ message: `tag "${tag}" not found` })
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
    expect(await render(`{{ a | ${filter} }}`)).toMatchObject({ message: `undefined filter: ${filter}` })
})

it('gives a thread up that it had to end, and starts another', async () => {
  expect(await render(SLOW)).toMatchObject({ message: 'took too long' })
  expect(await render('Hola {{ name }}', { name: 'Ana' })).toBe('Hola Ana')
})
