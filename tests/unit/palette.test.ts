import { expect, it } from 'vitest'
import { matchingNames } from '@/components/palette/look-up'

const scope = {
  actions: [
    { href: '/reservations?new=1', label: 'Nueva reserva' },
    { sync: true as const, label: 'Sincronizar ahora' },
  ],
  pages: [
    { href: '/reservations', label: 'Reservas' },
    { href: '/settings/general', label: 'Configuración › General' },
  ],
  customers: false,
  reservations: false,
  locations: 0,
}
const found = (text: string) => matchingNames(text, scope).map(({ kind, href }) => `${kind} ${href}`)

it('finds pages and then actions by words, whatever their accents and case', () => {
  expect(found('RESERVA')).toEqual(['pages /reservations', 'actions /reservations?new=1'])
  expect(found('general configuracion')).toEqual(['pages /settings/general'])
  expect(found('nueva general')).toEqual([])
  expect(found('')).toHaveLength(4)
})

it('knows the sync as an action that leads nowhere', () => {
  expect(found('sincro')).toEqual(['actions null'])
})
