import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ContactPanel } from '@/components/customers/contact-panel'
import { exampleCustomer } from '@/lib/customers/examples'
import type { Customer } from '@/lib/customers/schema'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

/** The panel's words, its elements apart. */
function said(changes: Partial<Customer>, locale: 'es' | 'en' = 'es'): string {
  const customer = { ...exampleCustomer, ...changes }
  const children = createElement(ContactPanel, { customer, location: null, firstReservation: null })
  const intl = { locale, messages: { es, en }[locale], formats, timeZone: 'Europe/Madrid', children }
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
    .replace(/<[^>]+>/g, '|')
    .replace(/\|+/g, '|')
}

it('a guest’s city and language are on their page, the language by its name', () => {
  const lives = { city: 'Alcalá de Henares', language: 'fr' } as const
  expect(said(lives)).toContain('|Ciudad|Alcalá de Henares|Idioma|Francés|')
  expect(said(lives, 'en')).toContain('|City|Alcalá de Henares|Language|French|')
})

it('without them both are among what is not known', () => {
  const [known = '', unknown] = said({ city: null, language: null }).split(es.customer.showUnknown)
  expect(known).not.toMatch(/Idioma|Ciudad/)
  expect(unknown).toMatch(/\|Ciudad\|–\|.*\|Idioma\|–\|/)
})
