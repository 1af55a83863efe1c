import 'server-only'
import { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { checkCampaign } from '@/lib/campaigns/check'
import { previewCampaign } from '@/lib/campaigns/preview'
import { type NewCampaign, newCampaignSchema } from '@/lib/campaigns/schema'
import { createCampaign } from '@/lib/campaigns/writes'
import { FACT_CODES } from '@/lib/customers/fact-codes'
import { listTags } from '@/lib/customers/list-customers'
import { DatabaseError } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { requiredText } from '@/lib/http/fields'
import { listTiers } from '@/lib/loyalty/tiers'
import { CHANNELS } from '@/lib/messaging/schema'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import type { SegmentCondition } from '@/lib/segments/schema'
import { saveSegment } from '@/lib/segments/segments'
import { fold } from '@/lib/text/fold'
import { defineTool, locationNamed, ToolError } from './tool'

const days = z.int().min(1).max(3650)
const names = (about: string) => z.array(requiredText(60)).max(20).default([]).describe(about)

const wanted = z.strictObject({
  name: requiredText(100).describe('Nombre breve de la campaña'),
  tiers: names('Niveles por su nombre'),
  locations: names('Local habitual, por su nombre'),
  rhythm: z
    .enum(RHYTHM_STATES)
    .optional()
    .describe('Según su propio ritmo: overdue, más tiempo sin venir de lo habitual; at_risk; lost'),
  away_days: days.optional().describe('Última visita hace más de tantos días'),
  came_within_days: days.optional().describe('Última visita en los últimos días'),
  min_visits: z.int().min(1).max(1_000_000).optional(),
  birthday_this_month: z.boolean().default(false),
  tags: names('Etiquetas: basta una'),
  facts: z
    .array(z.enum(FACT_CODES))
    .max(20)
    .default([])
    .describe('Alergias, dietas o preferencias: basta una'),
  channel: z.enum(CHANNELS),
  subject: z.string().trim().max(300).optional().describe('Solo con correo'),
  body: z
    .string()
    .trim()
    .min(1)
    .max(5000)
    .describe('Texto del mensaje, que puede llevar {{ first_name }} y {{ location_name }}'),
  starts: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
    .optional()
    .describe('Día y hora local de envío, YYYY-MM-DDTHH:MM; sin ella, la elige quien la revise'),
})
type Wanted = z.output<typeof wanted>

/** Prepares a campaign with its segment as a draft. A person looks at it and launches it; nothing is sent from here. */
export const draftCampaign = defineTool({
  name: 'draft_campaign',
  description:
    'Prepara el borrador de una campaña para un grupo de clientes, con su segmento, su texto y su hora. Solo cuando la persona pide expresamente escribir a clientes. No envía nada: alguien lo revisa y lo lanza. Devuelve a cuántos llegaría y la página del borrador: da ese enlace y di que está sin enviar.',
  permission: 'canAccessMarketing',
  once: true,
  arguments: wanted,
  run: async (session, args, { now }) => {
    if (!session.can('canAccessClientes')) throw new ToolError('The person may not read customers')
    const definition = { and: await conditionsOf(session, args) }
    // Someone bound to locations writes to guests of these alone.
    const location_ids = (await boundTo(session)) ?? []
    const { draft, campaign } = await asToolError(async () => {
      const draft = contentOf(args, location_ids)
      // Checked before the segment is saved, which would otherwise stay behind.
      await checkCampaign(session, draft)
      const segment = await saveSegment(session, { name: nameAt(args.name, now), shared: true, definition })
      return { draft, campaign: await createCampaign(session, { ...draft, segment_id: segment.id }) }
    })
    const { id, name, segment_id } = campaign
    const forecast = await previewCampaign(session, { ...draft, segment_id }, now)
    const left_out = Object.fromEntries(Object.entries(forecast.skipped).filter(([, guests]) => guests > 0))
    return {
      rows: [
        {
          campaign: name,
          status: 'draft, not sent',
          page: `/campaigns/${id}/edit`,
          in_segment: forecast.matched,
          would_get_it: forecast.to_send,
          left_out,
          needs_approval_of_a_colleague: forecast.needs_approval,
        },
      ],
      more: false,
      found: [{ type: 'campaign', id, label: name, names: [name] }],
    }
  },
})

/** Two drafts may have one name; segments may not. */
const nameAt = (name: string, now: Date) => `${name} · ${now.toISOString().slice(0, 16).replace('T', ' ')}`

async function conditionsOf(session: Session, args: Wanted): Promise<SegmentCondition[]> {
  const [tiers, locations, tags] = await Promise.all([
    tiersNamed(session, args.tiers),
    Promise.all(args.locations.map((name) => locationNamed(session, name))),
    tagsNamed(session, args.tags),
  ])
  const conditions: (SegmentCondition | false)[] = [
    tiers.length > 0 && { field: 'tier', tiers },
    locations.length > 0 && { field: 'location', locations: locations.map(({ id }) => id) },
    args.rhythm !== undefined && { field: 'rhythm', is: args.rhythm },
    args.away_days !== undefined && { field: 'last_visit', is: 'before', days: args.away_days },
    args.came_within_days !== undefined && { field: 'last_visit', is: 'within', days: args.came_within_days },
    args.min_visits !== undefined && { field: 'visits', min: args.min_visits },
    args.birthday_this_month && { field: 'birthday', is: 'this_month' },
    tags.length > 0 && { field: 'tags', is: 'any', tags },
    args.facts.length > 0 && { field: 'facts', is: 'any', codes: args.facts },
  ]
  const given = conditions.filter((condition) => condition !== false)
  if (given.length === 0) throw new ToolError('Say to whom: at least one condition is needed')
  return given
}

/** The ids of tiers by their names, whatever the case and accents. */
async function tiersNamed(session: Session, wanted: readonly string[]): Promise<string[]> {
  if (wanted.length === 0) return []
  const tiers = await listTiers(session)
  return wanted.map((name) => {
    const tier = tiers.find((one) => fold(one.name) === fold(name))
    if (tier) return tier.id
    throw new ToolError(`No such tier. The tiers are: ${JSON.stringify(tiers.map((one) => one.name))}`)
  })
}

async function tagsNamed(session: Session, wanted: readonly string[]): Promise<string[]> {
  if (wanted.length === 0) return []
  const tags = (await listTags(session)).map(({ tag }) => tag)
  return wanted.map((name) => {
    const tag = tags.find((one) => fold(one) === fold(name))
    if (tag !== undefined) return tag
    throw new ToolError(`No such tag. The tags are: ${JSON.stringify(tags.slice(0, 100))}`)
  })
}

function contentOf({ name, channel, subject, body, starts }: Wanted, location_ids: string[]): NewCampaign {
  return newCampaignSchema.parse({
    ...{ name, location_ids, starts_local: starts ?? null },
    messages: [{ step: 1, channel, subject: channel === 'email' ? (subject ?? name) : null, body }],
  })
}

/** What the API would refuse, as a text for the model. */
async function asToolError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HttpError || error instanceof z.ZodError)
      throw new ToolError(error.message.slice(0, 500))
    if (error instanceof DatabaseError && error.code === '23505') throw new ToolError('The name is taken')
    throw error
  }
}
