import { type AutomationType, isMarketing } from '../../lib/automations/types'
import type { Channel } from '../../lib/messaging/schema'
import type { Service } from './service-client'

const GREETING = 'Hola, {{ first_name }}:\n\n'
const FAREWELL = '\n\nUn saludo,\n{{ organization_name }}'

/** In per cent. */
const CONTROL_SHARE = 10

interface Definition {
  name: string
  type: AutomationType
  channel: Channel
  fallback_channel: Channel | null
  status: 'active' | 'inactive'
  subject: string | null
  body: string
  content_sid: string | null
  content_variables: Record<string, string>
  versions?: { language: string; subject: string; body: string; email_design: null }[]
  criteria: Record<string, number | string>
}

/** One automation of each type; the one for VIPs is inactive, as if being rewritten. */
export const DEFINITIONS: Definition[] = [
  {
    name: 'Feliz cumpleaños',
    type: 'birthday',
    channel: 'whatsapp',
    fallback_channel: 'email',
    status: 'active',
    subject: '{{ first_name }}, esta semana invitamos al postre',
    body: `${GREETING}se acerca tu cumpleaños y queremos celebrarlo contigo. Ven estos días a {{ location_name }} y el postre corre de nuestra cuenta.${FAREWELL}`,
    content_sid: 'HX00000000000000000000000000000001',
    content_variables: { 1: '{{ first_name }}', 2: '{{ location_name }}' },
    criteria: { days_before: 7 },
  },
  {
    name: 'Te echamos de menos',
    type: 'reengagement',
    channel: 'email',
    fallback_channel: null,
    status: 'active',
    subject: '{{ first_name }}, hace tiempo que no te vemos',
    body: `${GREETING}la carta de {{ location_name }} ha cambiado desde tu última visita. Nos encantaría enseñártela: responde a este correo y te guardamos una mesa.${FAREWELL}`,
    content_sid: null,
    content_variables: {},
    versions: [
      {
        language: 'en',
        subject: '{{ first_name }}, it has been a while',
        email_design: null,
        body: 'Hello, {{ first_name }}:\n\nthe menu at {{ location_name }} has changed since your last visit. We would love to show it to you: answer this e-mail and we will keep a table for you.\n\nWarm regards,\n{{ organization_name }}',
      },
      {
        language: 'fr',
        subject: '{{ first_name }}, cela fait longtemps',
        email_design: null,
        body: 'Bonjour, {{ first_name }}\u00a0:\n\nla carte de {{ location_name }} a changé depuis votre dernière visite. Nous aimerions vous la faire découvrir\u00a0: répondez à cet e-mail et nous vous gardons une table.\n\nBien à vous,\n{{ organization_name }}',
      },
    ],
    criteria: { inactive_days: 90, min_visits: 4 },
  },
  {
    name: 'Gracias a los de siempre',
    type: 'vip_reward',
    channel: 'email',
    fallback_channel: null,
    status: 'inactive',
    subject: 'Un detalle para ti, {{ first_name }}',
    body: `${GREETING}llevas {{ total_visits }} visitas con nosotros. La próxima vez te espera una copa de bienvenida y un aperitivo fuera de carta.${FAREWELL}`,
    content_sid: null,
    content_variables: {},
    criteria: { min_tier: 'Oro' },
  },
  {
    name: '¿Qué tal fue la visita?',
    type: 'post_visit',
    channel: 'sms',
    fallback_channel: null,
    status: 'active',
    subject: null,
    body: '{{ first_name }}, gracias por venir a {{ location_name }}. ¿Cómo lo pasaste? {{ feedback_link }}',
    content_sid: null,
    content_variables: {},
    criteria: { hours_after: 24, window_hours: 72 },
  },
  {
    name: 'Sentimos no haberte visto',
    type: 'no_show',
    channel: 'email',
    fallback_channel: null,
    status: 'active',
    subject: '{{ first_name }}, sentimos no haberte visto',
    body: `${GREETING}el {{ reservation_date }} te esperábamos en {{ location_name }}. Si te surgió algo, no pasa nada: cuando quieras volver, te guardamos una mesa.${FAREWELL}`,
    content_sid: null,
    content_variables: {},
    criteria: { hours_after: 24, window_hours: 72 },
  },
  {
    name: 'Confirmación de reserva',
    type: 'reservation_confirmation',
    channel: 'whatsapp',
    fallback_channel: 'sms',
    status: 'active',
    subject: null,
    body: '{{ first_name }}, te esperamos en {{ location_name }} el {{ reservation_date }} a las {{ reservation_time }}, mesa para {{ party_size }}.',
    content_sid: 'HX00000000000000000000000000000002',
    content_variables: { 1: '{{ first_name }}', 2: '{{ reservation_date }}', 3: '{{ reservation_time }}' },
    criteria: {},
  },
]

/** An automation of the demo, with its id. */
export type SeededAutomation = Definition & { id: string }

/** Creates the demo's automations, as they were set up months ago. */
export async function seedAutomations(
  db: Service,
  organization_id: string,
): Promise<Record<AutomationType, SeededAutomation>> {
  const created_at = new Date(Date.now() - 130 * 86_400_000).toISOString()
  const made = await db
    .from('automations')
    .insert(
      DEFINITIONS.map((definition) => {
        const control_share = isMarketing(definition.type) ? CONTROL_SHARE : 0
        return { versions: [], ...definition, organization_id, created_at, control_share }
      }),
    )
    .select('id, name')
    .throwOnError()
  const entries = DEFINITIONS.map((definition) => {
    const id = made.data.find(({ name }) => name === definition.name)?.id ?? ''
    return [definition.type, { ...definition, id }]
  })
  return Object.fromEntries(entries)
}
