import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { LinksPanel, OutcomesPanel } from '@/components/campaigns/outcomes'
import { exampleResults, exampleSending } from '@/lib/campaigns/examples'
import type { VersionOutcomes } from '@/lib/campaigns/outcomes-schema'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

vi.mock('@/components/ui/link', () => ({
  Link: ({ href, children }: { href: string; children: string }) => createElement('a', { href }, children),
}))

const MESSAGES = { es, en }
const [a, b] = exampleResults.versions as [VersionOutcomes, VersionOutcomes]

function markup(children: ReturnType<typeof createElement>, locale: 'es' | 'en' = 'es'): string {
  const intl = { locale, messages: MESSAGES[locale], formats, timeZone: 'Europe/Madrid', children }
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl)).replaceAll('\u00a0', ' ')
}
const said = (html: string) => html.replace(/<[^>]+>/g, '|').replace(/\|[\s|]*/g, '|')
const panel = (versions: VersionOutcomes[], channel: 'sms' | 'email' = 'email', locale?: 'es' | 'en') => {
  const messages = exampleSending.messages.map((message) => ({ ...message, channel }))
  const campaign = { ...exampleSending, messages }
  return markup(createElement(OutcomesPanel, { campaign, versions }), locale)
}

describe('what guests did with a campaign', () => {
  it('stands by version, each line with its share and a way to who they are', () => {
    const html = panel([a, b])
    expect(said(html)).toContain('|Enviados|610|612|Entregados|598|(98 %)|604|(98,7 %)|')
    expect(said(html)).toContain('|Rebotados|0|(0 %)|5|(0,8 %)|')
    expect(html).toContain(`href="/campaigns/${exampleSending.id}?outcome=clicked#recipients"`)
    expect(said(panel([a, b], 'email', 'en'))).toContain('|Version A|Version B|Sent|610|612|')
  })

  it('has no opens where no message is an e-mail, and nothing simulated counts as sent', () => {
    expect(said(panel([a], 'sms'))).not.toMatch(/Abiertos|Con clic|Rebotados/)
    const simulated = { ...a, simulated: 610 }
    expect(said(panel([simulated]))).toContain('|Enviados|0|610 simulados|Entregados|0|')
  })

  it('names the links that were clicked, and nothing while none was', () => {
    const html = markup(createElement(LinksPanel, { versions: [a, b] }))
    expect(said(html)).toContain('|norte.example/carta|Versión B|48|61|')
    expect(markup(createElement(LinksPanel, { versions: [a] }))).toBe('')
  })
})
