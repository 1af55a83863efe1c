import { createTranslator } from 'next-intl'
import { expect, it } from 'vitest'
import { reasonText } from '@/components/messages/reason-text'
import { es } from '@/lib/i18n/es'

const t = createTranslator({ locale: 'es', messages: es, namespace: 'client.messageReasons' })
const words = (reason: string | null) => reasonText(t as never, reason)

it('names a code of the list, an unknown one of Twilio, and a mistake in the template', () => {
  expect(words('booked')).toBe('Entretanto ha reservado o ha venido')
  expect(words('twilio_30999')).toBe('Twilio lo rechazó (código 30999)')
  expect(words('template_too_long')).toBe('El mensaje no se puede escribir: es demasiado largo')
  expect(words('template_range')).toBe('El mensaje no se puede escribir')
  expect(words(null)).toBe('Sin motivo indicado')
})
