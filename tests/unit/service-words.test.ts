import { createTranslator } from 'next-intl'
import { expect, it } from 'vitest'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { serviceWords } from '@/lib/integrations/service-words'
import { INTEGRATION_TYPES } from '@/lib/integrations/types'

it.each([
  ['es', es],
  ['en', en],
] as const)(
  'every reason why a service failed is a sentence about each service, in %s',
  (locale, messages) => {
    const faults: unknown[] = []
    const services = createTranslator({
      locale,
      namespace: 'client.integrations',
      messages,
      onError: (error) => faults.push(error),
    })
    const reasons = Object.keys(
      messages.client.integrations.test.reasons,
    ) as (keyof typeof es.client.integrations.test.reasons)[]
    for (const type of INTEGRATION_TYPES)
      for (const reason of reasons)
        expect(services(`test.reasons.${reason}`, serviceWords(type, services(`names.${type}`)))).toMatch(
          /^\p{Lu}.+\.$/su,
        )
    expect(faults).toEqual([])
  },
)
