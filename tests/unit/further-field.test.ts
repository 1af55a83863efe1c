import { MantineProvider } from '@mantine/core'
import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FurtherField } from '@/components/customers/further-field'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

/** The field as it is rendered, with these messages by their paths; as in a form, a path has what is below it. */
function field(count: number, messages: Record<string, string> = {}): string {
  const element = createElement(FurtherField, {
    ...({ kind: 'emails', label: 'Otros correos' } as const),
    lines: Array.from({ length: count }, (_, place) => `${place}@example.com`),
    errorAt: (path) => Object.entries(messages).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1],
    onChange: () => undefined,
  })
  const children = createElement(MantineProvider, null, element)
  return renderToStaticMarkup(
    createElement(NextIntlClientProvider, {
      ...({ locale: 'es', messages: es, formats, timeZone: 'Europe/Madrid', children } as const),
    }),
  )
}

it('says below the lines what is wrong with the list, in an alert that can have the focus', () => {
  const html = field(2, { emails: 'Como mucho 20.' })
  expect(html).toMatch(/<p [^>]*role="alert" tabindex="-1"[^>]*>Como mucho 20\.<\/p>/)
  const id = /<fieldset[^>]* aria-describedby="([^"]+)"/.exec(html)?.[1]
  expect(html).toContain(`<p id="${id}"`)
  expect(field(0, { emails: 'Como mucho 20.' })).toContain('>Como mucho 20.</p>')
})

it('says what is wrong with a line at that line only, and below them of one that is not there', () => {
  const html = field(2, { 'emails.1': 'Otro cliente ya lo tiene' })
  expect(html.match(/Otro cliente ya lo tiene/g)).toHaveLength(1)
  expect(html).not.toContain('<fieldset class="group" aria-describedby')
  expect(html).not.toMatch(/tabindex="-1"[^>]*>Otro cliente/)
  expect(field(2, { 'emails.7': 'Otro cliente ya lo tiene' })).toMatch(/tabindex="-1"[^>]*>Otro cliente/)
})

it('takes no more than 20, and says why', () => {
  expect(field(19)).not.toMatch(/aria-disabled|Caben 20/)
  for (const count of [20, 25]) {
    const html = field(count)
    const id = /<button[^>]* aria-disabled="true" aria-describedby="([^"]+)"/.exec(html)?.[1]
    expect(html).toMatch(new RegExp(`<small id="${id}"[^>]*>Caben 20: quita uno para añadir otro.</small>`))
  }
})
