import { MantineProvider } from '@mantine/core'
import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LookCard } from '@/components/email-design/look-card'

import { NO_LOOK } from '@/lib/email-design/look'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

const [GROUP, BRAND] = [null, 'b']
const lookOf = (brand_id: string | null, changes: object) => ({
  ...{ ...NO_LOOK, logo_url: null, brand_id },
  ...changes,
})
const ofGroup = lookOf(GROUP, { color: '#004d40', footer: 'Calle Mayor 1', reply_to: 'sala@lumbre.example' })

/** The brand's card in Spanish, its elements apart. */
function said(changes: Partial<ComponentProps<typeof LookCard>>): string {
  const given = { brandId: BRAND, name: 'Casa', group: 'Grupo Lumbre', looks: [ofGroup] }
  const card = createElement(LookCard, { ...given, may: { change: true, address: false }, ...changes })
  const children = createElement(MantineProvider, null, card)
  const intl = { locale: 'es', messages: es, formats, timeZone: 'Europe/Madrid', children } as const
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
    .replaceAll(/<[^>]+>/g, '|')
    .replaceAll(/\|+/g, '|')
}

it('a brand without a look of its own is as the group', () => {
  for (const looks of [[ofGroup], [ofGroup, lookOf(BRAND, {})]]) {
    const text = said({ looks })
    expect(text).toContain('|Como el del grupo.|')
    expect(text).toContain('|Color principal|#004d40|')
    expect(text).toContain('|Las respuestas van a|sala@lumbre.example|')
    expect(text).toContain('|Nombre del remitente|Grupo Lumbre (el habitual)|')
    expect(text).toMatch(/Calle Mayor 1 · contraste/)
  }
})

it('a brand’s own look says what comes from the group', () => {
  const text = said({ looks: [ofGroup, lookOf(BRAND, { sender_name: 'Casa Lumbre', color: '#111111' })] })
  expect(text).not.toContain('Como el del grupo.')
  expect(text).toContain('|Color principal|#111111|')
  expect(text).toContain('|Color de los botones|Como el color principal|')
  expect(text).toContain('|Nombre del remitente|Casa Lumbre|')
  expect(text).toContain('|Pie con la dirección|Calle Mayor 1 (del grupo)|')
})

it('the group’s look names what is usual', () => {
  const text = said({ brandId: GROUP, name: 'Grupo Lumbre', looks: [] })
  expect(text).toContain('|Color principal|#a94a34 (el habitual)|')
  expect(text).toContain('|Correo del remitente|El de la integración con Resend|')
})

it('who may not change it gets no button', () => {
  expect(said({})).toContain('|Cambiar|')
  expect(said({ may: { change: false, address: false } })).not.toContain('|Cambiar|')
})
