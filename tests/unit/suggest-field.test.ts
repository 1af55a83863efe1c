import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SuggestField } from '@/components/ui/suggest-field'

const field = (options: string[], status?: string) => {
  const props = {
    label: 'Cliente',
    value: 'an',
    options,
    keyOf: (option: string) => option,
    render: (option: string) => option,
    onText: () => {},
    onChoose: () => {},
    listLabel: 'Clientes encontrados',
    status,
  }
  const element = createElement(SuggestField<string>, props)
  return renderToStaticMarkup(createElement(MantineProvider, null, element))
}

it('a field with suggestions is a combobox, closed until one types, and says how many match', () => {
  const html = field(['Ana', 'Andrés'], '2 clientes')
  const [input = ''] = /<input[^>]*>/.exec(html) ?? []
  for (const attribute of [
    'role="combobox"',
    'aria-expanded="false"',
    'aria-autocomplete="list"',
    'value="an"',
  ])
    expect(input).toContain(attribute)
  expect(html).toMatch(/role="status"[^>]*>2 clientes/)
  const [list = ''] = /<[^>]*role="listbox"[^>]*>/.exec(html) ?? []
  expect(list).toContain('aria-label="Clientes encontrados"')
  expect(html.match(/role="option"/g)).toHaveLength(2)
  // The list is there for its id, and not shown.
  expect(/<[^>]*role="presentation"[^>]*>/.exec(html)?.[0]).toContain('display:none')
})
