import { describe, expect, it } from 'vitest'
import { type Notification, notificationSchema, renderNotification } from '@/lib/messaging/notification'

const event = {
  organization: 'Grupo Mesa',
  name: 'Ana',
  timezone: 'Europe/Madrid',
  title: 'Cata de vinos',
  event_datetime: '2026-11-27T19:30:00+00:00',
  ends_at: null,
  location: 'Norte',
}
const notification: Notification = { template: 'calendar_notification', ...event, address: 'Calle Mayor, 1' }
const reminder: Notification = { template: 'calendar_reminder', ...event, description: null }
const ticket = {
  organization: 'Grupo Mesa',
  name: null,
  timezone: 'Europe/Madrid',
  number: 12,
  subject: 'No imprime la cocina',
  description: 'La impresora\nno responde',
  status: 'in_progress' as const,
  priority: 'high' as const,
  sla_due_at: '2026-11-20T20:00:00+00:00',
  is_new: true,
  location: null,
}

describe('an event’s e-mail to its customer', () => {
  it.each(['https://evil.example', 'www.evil.example', 'evil\u200b.example'])(
    'greets %j without a name',
    (name) => {
      const { subject, text } = renderNotification({ ...notification, name })
      expect(text.startsWith('Hola:\n')).toBe(true)
      expect(subject + text).not.toContain('evil')
    },
  )

  it('says what, when in local time, and where', () => {
    expect(renderNotification(notification)).toEqual({
      subject: 'Cata de vinos: viernes, 27 de noviembre de 2026, 20:30',
      text: [
        'Hola, Ana:',
        '',
        'Le recordamos su cita:',
        '',
        'Cata de vinos',
        'viernes, 27 de noviembre de 2026, 20:30',
        'Norte, Calle Mayor, 1',
        '',
        'Le esperamos.',
        '',
        'Grupo Mesa',
      ].join('\n'),
    })
  })

  it.each([
    ['Europe/Madrid', '2026-10-25T00:30:00Z', 'domingo, 25 de octubre de 2026, 02:30'],
    ['Europe/Madrid', '2026-10-25T01:30:00Z', 'domingo, 25 de octubre de 2026, 02:30'],
    ['Europe/Madrid', '2026-03-29T01:00:00Z', 'domingo, 29 de marzo de 2026, 03:00'],
    ['Atlantic/Canary', '2026-11-27T00:15:00Z', 'viernes, 27 de noviembre de 2026, 00:15'],
    ['America/Bogota', '2026-11-27T00:15:00Z', 'jueves, 26 de noviembre de 2026, 19:15'],
  ])('in %s, %s is %s', (timezone, event_datetime, expected) => {
    expect(renderNotification({ ...notification, timezone, event_datetime }).text).toContain(
      `\n${expected}\n`,
    )
  })

  it('of all-day events says days and no clock', () => {
    const days = { starts_on: '2026-11-27', ends_on: '2026-11-27', ends_at: '2026-11-27T23:00:00Z' }
    const said = renderNotification({ ...notification, ...days })
    expect(said.subject).toBe('Cata de vinos: viernes, 27 de noviembre de 2026')
    expect(said.text).toContain('\nviernes, 27 de noviembre de 2026 (todo el día)\n')
    expect(renderNotification({ ...reminder, ...days, ends_on: '2026-11-28' }).text).toContain(
      '\nviernes, 27 de noviembre de 2026 – sábado, 28 de noviembre de 2026 (todo el día)\n',
    )
  })

  it('has its end: the hour, and the day when it is another', () => {
    const until = (ends_at: string) => renderNotification({ ...notification, ends_at }).text
    expect(until('2026-11-27T21:00:00Z')).toContain('\nviernes, 27 de noviembre de 2026, 20:30–22:00\n')
    expect(until('2026-11-28T00:00:00Z')).toContain(
      '\nviernes, 27 de noviembre de 2026, 20:30 – sábado, 28 de noviembre de 2026, 01:00\n',
    )
  })

  it('does without a name and a location', () => {
    const { text } = renderNotification({ ...notification, name: null, location: null, address: null })
    expect(text).toMatch(/^Hola:\n/)
    expect(text).toContain('20:30\n\nLe esperamos.')
  })
})

it('a reminder has the notes for the assignee as well', () => {
  const { subject, text } = renderNotification({ ...reminder, description: 'Mesa alta' })
  expect(subject).toBe('Recordatorio: Cata de vinos, viernes, 27 de noviembre de 2026, 20:30')
  expect(text).toContain('Norte\n\nMesa alta\n')
})

describe('a ticket’s e-mail', () => {
  it('says that it is new, with status, priority and deadline', () => {
    expect(renderNotification({ template: 'ticket_notification', ...ticket })).toEqual({
      subject: 'Incidencia #12: No imprime la cocina (nueva)',
      text: [
        'Hola:',
        '',
        'Hay una incidencia nueva:',
        '',
        'Incidencia #12: No imprime la cocina',
        'Estado: en curso. Prioridad: alta.',
        'Plazo: viernes, 20 de noviembre de 2026, 21:00.',
        '',
        'La impresora\nno responde',
        '',
        'Grupo Mesa',
      ].join('\n'),
    })
  })

  it('says that it changed, and to what', () => {
    const changed = renderNotification({ template: 'ticket_notification', ...ticket, is_new: false })
    expect(changed.subject).toBe('Incidencia #12: No imprime la cocina (en curso)')
    expect(changed.text).toContain('Una incidencia ha cambiado:')
  })

  it('reminds of a deadline that is near, and of one that is over', () => {
    const subject = (is_over: boolean) =>
      renderNotification({ template: 'ticket_reminder', ...ticket, is_over }).subject
    expect(subject(false)).toBe('Plazo a punto de vencer: Incidencia #12: No imprime la cocina')
    expect(subject(true)).toBe('Plazo vencido: Incidencia #12: No imprime la cocina')
  })
})

describe('whatever people write', () => {
  it('a subject stays one line of bounded length', () => {
    const title = `Cena\r\nBcc: todos@example.com\u0085${'🍷'.repeat(200)}`
    const { subject } = renderNotification({ ...notification, title })
    expect(subject).toMatch(/^Cena Bcc: todos@example\.com 🍷/u)
    expect(subject).not.toMatch(/\p{Cc}/u)
    expect(subject.length).toBeLessThanOrEqual(150)
    expect(subject.isWellFormed()).toBe(true)
  })

  it('content that is not one of ours is refused', () => {
    expect(notificationSchema.safeParse({ ...event, template: 'newsletter' }).success).toBe(false)
    expect(notificationSchema.safeParse({ subject: 'Hola', body: 'Rendered' }).success).toBe(false)
  })
})

it.each([
  [true, 'Su organización la exige: al entrar le pediremos que la active de nuevo.'],
  [false, 'Puede activarla de nuevo en «Mi cuenta».'],
])('a removed second factor (required: %s)', (required, next) => {
  const staff = { organization: 'Grupo Mesa', name: 'Ana', timezone: 'Europe/Madrid' }
  const { subject, text } = renderNotification(
    notificationSchema.parse({
      template: 'second_factor_removed',
      ...staff,
      at: '2026-11-20T20:00:00+00:00',
      required,
    }),
  )
  expect(subject).toBe('Su cuenta ya no tiene verificación en dos pasos')
  expect(text).toContain('viernes, 20 de noviembre de 2026, 21:00')
  expect(text).toContain(next)
})

it('a link to a new password that somebody else made', () => {
  const staff = { organization: 'Grupo Mesa', name: 'Ana', timezone: 'Europe/Madrid' }
  const at = '2026-11-20T20:00:00+00:00'
  const worded = (by: string) =>
    renderNotification(notificationSchema.parse({ template: 'password_link', ...staff, at, by })).text
  expect(worded('Eva Jefa')).toContain('El viernes, 20 de noviembre de 2026, 21:00, Eva Jefa creó un enlace')
  expect(worded('www.evil.example')).toContain('una persona de administración creó un enlace')
})
