import { findCorrespondents } from './correspondents'
import type { Service } from './service-client'

const HOUR_MS = 3_600_000
const STRANGER = '+34600555010'

interface Line {
  hours: number
  text: string | null
  media?: 'image'
  by?: string
}

/** What guests wrote, and who of the team answered; the last one nobody has read. */
const THREADS: readonly { channel: 'sms' | 'whatsapp'; stranger?: string; lines: readonly Line[] }[] = [
  {
    channel: 'whatsapp',
    lines: [
      { hours: 29, text: '¿Tenéis trona para un bebé de diez meses?' },
      { hours: 28.7, text: 'Sí, tenemos dos. Te apartamos una para el sábado.', by: 'Óscar Benítez' },
      { hours: 28.5, text: '¡Genial, gracias!' },
      { hours: 2.5, text: null, media: 'image' },
      { hours: 2.4, text: 'Esta es la tarta que queremos llevar. ¿Hay sitio en la nevera?' },
    ],
  },
  {
    channel: 'sms',
    lines: [
      { hours: 51, text: 'Llegaremos diez minutos tarde' },
      { hours: 50.9, text: 'Sin problema, os guardamos la mesa.', by: 'Óscar Benítez' },
    ],
  },
  {
    channel: 'whatsapp',
    stranger: 'Marta 🌿',
    lines: [{ hours: 5, text: 'Hola, ¿hacéis menú para grupos de veinte personas en diciembre?' }],
  },
]

/** Seeds some conversations: two with guests, one with a stranger. */
export async function seedConversations(db: Service, organization_id: string): Promise<void> {
  const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
  const known = await findCorrespondents(db, organization_id, { min: 4, max: 9 }, 10)
  const guests = known.filter(({ phone }) => phone !== null)
  for (const [n, { channel, stranger, lines }] of THREADS.entries()) {
    const guest = stranger ? undefined : guests[n]
    const unanswered = lines.slice(lines.findLastIndex(({ by }) => by) + 1)
    const theirs = lines.findLast(({ by }) => !by)
    const opened = await db
      .from('conversations')
      .insert({
        ...{ organization_id, channel, customer_id: guest?.id ?? null },
        ...{ address: guest?.phone ?? STRANGER, sender_name: stranger ?? null, unread: unanswered.length },
        ...{ last_message_at: at(lines.at(-1)?.hours ?? 1), last_inbound_at: at(theirs?.hours ?? 1) },
      })
      .select('id')
      .single()
      .throwOnError()
    const rows = lines.map(({ hours, text, media, by }, line) => ({
      ...{ organization_id, conversation_id: opened.data.id, text, media: media ?? null, at: at(hours) },
      ...{ direction: by ? 'out' : 'in', sent_by: by ?? null },
      provider_id: by ? null : `SM${String(n).padStart(16, '0')}${String(line).padStart(16, '0')}`,
    }))
    await db.from('conversation_messages').insert(rows).throwOnError()
  }
}
