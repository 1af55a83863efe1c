import { z } from 'zod'
import { kept } from '@/lib/i18n/kept'
import { compareMorning } from '@/lib/morning/compare'
import { type DocumentTable, documentOf } from '@/lib/morning/document'
import { storedMorningSchema } from '@/lib/morning/schema'
import { nameInMessage } from './variables'

const ran = { success: z.literal(true), timestamp: z.iso.datetime() }

/** The body of calendar-notifications: both variants of the contract at once. */
export const notificationsBodySchema = z.object({ ...ran, notifications_sent: z.int() })

/** The body of the other three: e-mails sent, and those that failed or have no address. */
export const remindersBodySchema = z.object({ ...ran, sent: z.int(), failed: z.int() })
export type RemindersBody = z.infer<typeof remindersBodySchema>

/** The result of a queueing function of the database for one batch; `due` events or tickets are marked. */
export const batchSchema = z.object({
  due: z.number(),
  queued: z.number(),
  failed: z.number(),
  ids: z.array(z.string()),
})

const staff = { organization: z.string(), name: z.string().nullable(), timezone: z.string() }
const event = {
  ...staff,
  title: z.string(),
  event_datetime: z.string(),
  ends_at: z.string().nullable(),
  // All day: without a clock time.
  starts_on: z.string().nullish(),
  ends_on: z.string().nullish(),
  location: z.string().nullable(),
}
const ticket = {
  ...staff,
  number: z.number(),
  subject: z.string(),
  description: z.string().nullable(),
  status: z.enum(['open', 'in_progress', 'waiting', 'resolved', 'closed']),
  priority: z.enum(['low', 'medium', 'high', 'urgent']),
  sla_due_at: z.string(),
  is_new: z.boolean(),
  location: z.string().nullable(),
}

/**
 * `messages.content` of the notifications: what SQL (notifications, team, sign-in limits, second factor, account) writes and
 * `render` reads.
 */
export const notificationSchema = z.discriminatedUnion('template', [
  z.object({ template: z.literal('calendar_notification'), ...event, address: z.string().nullable() }),
  z.object({ template: z.literal('calendar_reminder'), ...event, description: z.string().nullable() }),
  z.object({ template: z.literal('ticket_notification'), ...ticket }),
  z.object({ template: z.literal('ticket_reminder'), ...ticket, is_over: z.boolean() }),
  z.object({ template: z.literal('sign_in_failures'), ...staff, failures: z.number(), at: z.string() }),
  z.object({
    template: z.literal('second_factor_removed'),
    ...staff,
    at: z.string(),
    required: z.boolean(),
  }),
  z.object({ template: z.literal('password_link'), ...staff, at: z.string(), by: z.string() }),
  z.object({
    template: z.literal('new_sign_in'),
    ...staff,
    at: z.string(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    place: z.string().nullable(),
  }),
  z.object({
    template: z.literal('approval_limit'),
    ...staff,
    limit: z.enum(['approve_above', 'campaign_approve_above']),
    value: z.number().nullable(),
    by: z.string(),
    at: z.string(),
    /** When it takes effect by itself; null: another administrator has to approve it. */
    due_at: z.string().nullable(),
    /** It has just taken effect by itself. */
    done: z.boolean(),
  }),
  z.object({
    template: z.literal('morning_report'),
    ...staff,
    expires_at: z.string(),
    morning: storedMorningSchema,
  }),
])
export type Notification = z.infer<typeof notificationSchema>

/** The subject (one line) and the plain text of an e-mail. */
export interface RenderedNotification {
  subject: string
  text: string
}

const PRIORITIES = { low: 'baja', medium: 'media', high: 'alta', urgent: 'urgente' }
const STATUSES = {
  open: 'abierta',
  in_progress: 'en curso',
  waiting: 'en espera',
  resolved: 'resuelta',
  closed: 'cerrada',
}
const MAX_SUBJECT = 150

/**
 * Words a notification in Spanish, with times in the time zone of its location.
 * `content` is `messages.content` as `notificationSchema` has parsed it.
 */
export function renderNotification(content: Notification): RenderedNotification {
  const { subject, lines } = compose(content)
  const name = nameInMessage(content.name)
  const greeting = name ? `Hola, ${name}:` : 'Hola:'
  const text = [greeting, '', ...lines.filter((line) => line !== null), '', content.organization].join('\n')
  return { subject: oneLine(subject).slice(0, MAX_SUBJECT).toWellFormed(), text }
}

function compose(content: Notification): { subject: string; lines: (string | null)[] } {
  switch (content.template) {
    case 'calendar_notification': {
      const { title, location, address } = content
      return {
        subject: `${title}: ${begins(content)}`,
        lines: [
          'Le recordamos su cita:',
          '',
          title,
          whole(content),
          location && [location, address].filter(Boolean).join(', '),
          '',
          'Le esperamos.',
        ],
      }
    }
    case 'calendar_reminder': {
      const { title, description, location } = content
      return {
        subject: `Recordatorio: ${title}, ${begins(content)}`,
        lines: [
          'Tiene asignado este evento:',
          '',
          title,
          whole(content),
          location,
          description && `\n${description}`,
        ],
      }
    }
    case 'ticket_notification':
      return {
        subject: `${ticketName(content)} (${content.is_new ? 'nueva' : STATUSES[content.status]})`,
        lines: [
          content.is_new ? 'Hay una incidencia nueva:' : 'Una incidencia ha cambiado:',
          '',
          ...ticketLines(content),
        ],
      }
    case 'ticket_reminder':
      return {
        subject: `${content.is_over ? 'Plazo vencido' : 'Plazo a punto de vencer'}: ${ticketName(content)}`,
        lines: [
          content.is_over
            ? 'El plazo de esta incidencia ha vencido:'
            : 'El plazo de esta incidencia está a punto de vencer:',
          '',
          ...ticketLines(content),
        ],
      }
    case 'sign_in_failures':
      return {
        subject: 'Intentos fallidos de entrar en su cuenta',
        lines: [
          `Alguien ha fallado ${content.failures} veces al entrar en su cuenta; la última, el ${when(content.at, content.timezone)}.`,
          '',
          'Hemos bloqueado la entrada por un rato desde donde se intentó. No hace falta que haga nada si fue usted.',
          'Si no fue usted, elija una contraseña nueva con «¿Has olvidado la contraseña?»: eso quita también el bloqueo.',
        ],
      }
    case 'second_factor_removed':
      return {
        subject: 'Su cuenta ya no tiene verificación en dos pasos',
        lines: [
          `El ${when(content.at, content.timezone)} se quitó la verificación en dos pasos de su cuenta, y se cerraron sus demás sesiones.`,
          '',
          content.required
            ? 'Su organización la exige: al entrar le pediremos que la active de nuevo.'
            : 'Puede activarla de nuevo en «Mi cuenta».',
          'Si no fue usted, elija ahora una contraseña nueva con «¿Has olvidado la contraseña?».',
        ],
      }
    case 'password_link':
      return {
        subject: 'Un enlace para cambiar la contraseña de su cuenta',
        lines: [
          `El ${when(content.at, content.timezone)}, ${nameInMessage(content.by) || 'una persona de administración'} creó un enlace para elegir una contraseña nueva para su cuenta.`,
          '',
          'Si se lo ha pedido usted, no hace falta que haga nada: use el enlace que le dé. Vale una vez, durante una hora.',
          'Si no lo ha pedido, avise a la administración de su grupo y, pasados diez minutos, elija una contraseña nueva con «¿Has olvidado la contraseña?»: el enlace deja entonces de valer, y se cierran todas las sesiones.',
        ],
      }
    case 'new_sign_in':
      return {
        subject: 'Entrada en su cuenta desde un dispositivo nuevo',
        lines: [
          'Se ha entrado en su cuenta desde un dispositivo o una red que no conocíamos:',
          '',
          `Cuándo: ${when(content.at, content.timezone)}.`,
          `Dispositivo: ${[content.browser, content.system].filter(Boolean).join(' en ') || 'desconocido'}.`,
          `Lugar: ${content.place ?? 'desconocido'}.`,
          '',
          'Si fue usted, no hace falta que haga nada.',
          'Si no fue usted, elija una contraseña nueva con «¿Has olvidado la contraseña?»: eso cierra todas las sesiones. Después avise a la administración de su grupo.',
        ],
      }
    case 'approval_limit':
      return approvalLimit(content)
    case 'morning_report':
      return morningReport(content)
  }
}

function approvalLimit(content: Extract<Notification, { template: 'approval_limit' }>) {
  const { limit, value, by, at, due_at, done, timezone } = content
  const sends = limit === 'approve_above' ? 'los envíos' : 'las campañas'
  const wish =
    value === null
      ? `que ${sends} no necesiten la aprobación de otra persona`
      : `que ${sends} necesiten la aprobación de otra persona solo por encima de ${value} clientes`
  return {
    subject: done ? 'El límite de aprobación ha cambiado' : 'Piden cambiar el límite de aprobación',
    lines: [
      `${by} pidió el ${when(at, timezone)} ${wish}.`,
      '',
      done
        ? 'Nadie más podía aprobarlo y han pasado 72 horas: el cambio ya vale.'
        : due_at
          ? `Nadie más puede aprobarlo ahora: valdrá desde el ${when(due_at, timezone)}. Hasta entonces se puede rechazar.`
          : 'Espera a que otra persona de administración lo apruebe o lo rechace.',
      'Está en «Ajustes», «General», «Una segunda persona para los envíos grandes».',
    ],
  }
}

/** The report in lines: figures, notes of the evening staff, notable guests, and the days ahead. */
function morningReport({ morning }: Extract<Notification, { template: 'morning_report' }>) {
  const report = documentOf(compareMorning(morning), 'es', new Date(`${morning.date}T06:00:00Z`))
  const { yesterday, ahead, notes, guests, closings } = report
  const tableLines = ({ columns, rows }: DocumentTable) =>
    rows.flatMap(({ name, note, cells }) => [
      note ? `${name} (${note.toLowerCase()})` : name,
      ...cells.map(
        ({ value, note: below }, index) => `  ${columns[index + 1]}: ${value}${below ? ` (${below})` : ''}`,
      ),
    ])
  return {
    subject: `${report.title}: ${report.date}`,
    lines: [
      `${yesterday.title} (${yesterday.legend}):`,
      ...(report.noLocations ? [report.noLocations] : tableLines(yesterday)),
      '',
      `${notes.title}:`,
      ...(notes.entries.length > 0 ? notes.entries.map(({ by, text }) => `${text} (${by})`) : [notes.none]),
      '',
      `${guests.title}:`,
      ...(guests.entries.length > 0
        ? guests.entries.map(
            ({ time, who, alarm, why }) => `${time} ${who}: ${[alarm, why].filter(Boolean).join(' · ')}`,
          )
        : [guests.none]),
      guests.more || null,
      '',
      ...(closings.entries.length > 0 ? [`${closings.title}:`, ...closings.entries, ''] : []),
      `${ahead.title} (${ahead.legend}):`,
      ...tableLines(ahead),
      '',
      'Los detalles están en «Informe de la mañana». La hora de este correo, o que no llegue más, se elige en «Tu cuenta».',
    ],
  }
}

type TicketNotification = Extract<Notification, { number: number }>

const ticketName = ({ number, subject }: TicketNotification) => `Incidencia #${number}: ${subject}`

function ticketLines(ticket: TicketNotification): (string | null)[] {
  return [
    ticketName(ticket),
    ticket.location,
    `Estado: ${STATUSES[ticket.status]}. Prioridad: ${PRIORITIES[ticket.priority]}.`,
    `Plazo: ${when(ticket.sla_due_at, ticket.timezone)}.`,
    ticket.description && `\n${ticket.description}`,
  ]
}

type EventNotification = Extract<Notification, { event_datetime: string }>

/** The beginning of an event, in words. */
const begins = ({ starts_on, event_datetime, timezone }: EventNotification) =>
  starts_on ? dayOf(starts_on) : when(event_datetime, timezone)

/** The beginning and end of an event, in words. */
function whole({ starts_on, ends_on, event_datetime, ends_at, timezone }: EventNotification): string {
  if (!starts_on) return when(event_datetime, timezone, ends_at)
  const last = ends_on && ends_on !== starts_on ? ` – ${dayOf(ends_on)}` : ''
  return `${dayOf(starts_on)}${last} (todo el día)`
}

const dayOf = (date: string) => localParts(`${date}T12:00:00Z`, 'UTC')[0]

/** `viernes, 20 de noviembre de 2026, 21:30`, with the end if there is one, and its day if it differs. */
function when(start: string, timezone: string, end: string | null = null): string {
  const [day, time] = localParts(start, timezone)
  if (!end) return `${day}, ${time}`
  const [endDay, endTime] = localParts(end, timezone)
  return endDay === day ? `${day}, ${time}–${endTime}` : `${day}, ${time} – ${endDay}, ${endTime}`
}

const dayIn = kept(
  (timeZone) =>
    new Intl.DateTimeFormat('es-ES', {
      timeZone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
)
const timeIn = kept(
  (timeZone) =>
    new Intl.DateTimeFormat('es-ES', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
)

function localParts(instant: string, timeZone: string): [day: string, time: string] {
  const at = new Date(instant)
  return [dayIn(timeZone).format(at), timeIn(timeZone).format(at)]
}

/** Puts a title on one line: a line break would start another e-mail header. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
