import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { LiftPanel } from '@/components/automations/lift-panel'
import type { AutomationLift } from '@/lib/automations/lift-schema'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

const MESSAGES = { es, en }
const UNKNOWN = { per_thousand: null, low: null, high: null }
const LIFT: AutomationLift = {
  control_share: 10,
  days: 30,
  waiting: 0,
  treated: { guests: 5400, came: 590, visits: 648, revenue: 41_472, estimated_revenue: 0 },
  control: { guests: 600, came: 50, visits: 54, revenue: 3456, estimated_revenue: 0 },
  visits: { known: 'more', per_thousand: 30, low: 2.4, high: 54 },
  revenue: { known: 'unclear', per_thousand: 1920, low: -280.2, high: 3619.7 },
}

/** The panel's text, its elements apart. */
function said(changes: Partial<AutomationLift>, locale: 'es' | 'en'): string {
  const children = createElement(LiftPanel, { lift: { ...LIFT, ...changes } })
  const intl = { locale, messages: MESSAGES[locale], formats, timeZone: 'Europe/Madrid', children }
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  return html
    .replace(/<[^>]+>/g, '|')
    .replace(/\|+/g, '|')
    .replaceAll('\u00a0', ' ')
}

describe('the lift of an automation', () => {
  it('shows visits and revenue of both groups, and the difference per 1,000 with its interval', () => {
    const spanish = said({}, 'es')
    expect(spanish).toContain(
      'Visitas de más por cada 1.000 clientes|+30|entre +2 y +54, con un 95 % de confianza',
    )
    expect(spanish).toContain('|Se les escribió|5.400|590|648|41.472 €|')
    expect(spanish).toContain('|Grupo de control|600|50|54|3.456 €|')
    expect(said({}, 'en')).toContain('|Written to|5,400|590|648|€41,472|')
  })

  it('says that a difference is not known yet while its interval contains 0', () => {
    const interval = 'entre -280 € y +3.620 €, con un 95 % de confianza'
    expect(said({}, 'es')).toContain(`Ingresos de más por cada 1.000 clientes|Todavía no se sabe|${interval}`)
    expect(said({}, 'en')).toContain(
      'Extra revenue per 1,000 customers|Not known yet|between -€280 and +€3,620',
    )
  })

  it.each([
    ['too_few', 'at least 20 customers in each group and 10 visits are needed'],
    ['no_control', 'nobody in the control group counts yet'],
    ['no_treated', 'nobody it wrote to counts yet'],
  ] as const)('says why there is no interval yet: %s', (known, why) => {
    expect(said({ visits: { known, ...UNKNOWN } }, 'en')).toContain(`|Not known yet|${why}`)
  })

  it('names attributed revenue as such, and says how many guests do not count yet', () => {
    expect(said({ waiting: 212 }, 'es')).toContain('212 clientes más contarán cuando pasen sus 30 días.')
    expect(said({}, 'es')).toContain('Los ingresos atribuidos de arriba incluyen también')
    expect(said({}, 'en')).toContain('The attributed revenue above also includes')
  })

  it('says how to get a comparison where there is no control group', () => {
    const nobody = { guests: 0, came: 0, visits: 0, revenue: 0, estimated_revenue: 0 }
    expect(said({ control_share: 0, treated: nobody, control: nobody }, 'en')).toContain(
      'This automation has no control group',
    )
  })
})
