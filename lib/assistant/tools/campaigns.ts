import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { hasControl, LIFT_MINIMUM, type LiftDifference } from '@/lib/automations/lift-schema'
import { CAMPAIGN_STATUSES } from '@/lib/campaigns/limits'
import { listCampaigns } from '@/lib/campaigns/reads'
import { campaignResults } from '@/lib/campaigns/results'
import type { CampaignResults, CampaignSummary } from '@/lib/campaigns/schema'
import { localDate, localTime } from '@/lib/dates'
import { requiredText } from '@/lib/http/fields'
import { fold } from '@/lib/text/fold'
import { dateSchema, defineTool, ToolError } from './tool'

const MAX_LISTED = 30
/** The API gives so many at once; a name or a period is looked for in so many pages. */
const PAGE = 200
const MAX_PAGES = 5

const wanted = z.strictObject({
  name: requiredText(120).optional().describe('Su nombre o parte de él'),
  status: z.enum(CAMPAIGN_STATUSES).optional(),
  from: dateSchema.optional().describe('Empezó (un borrador: se creó) este día o después'),
  to: dateSchema.optional().describe('Empezó (un borrador: se creó) este día o antes'),
})
type Wanted = z.output<typeof wanted>

/** The campaigns that the caller may see; what came of one when a single one is meant. */
export const campaigns = defineTool({
  name: 'campaigns',
  description:
    'Campañas, la última primero: nombre, estado, segmento, fechas y mensajes que salieron. Si solo una responde al nombre, también sus resultados: entregados, omitidos, reservas e ingresos atribuidos y lo que aporta según el grupo de control. Lo atribuido incluye a quien habría venido igualmente: di que es atribuido; lo que aporta es solo `lift`, con sus mismas palabras.',
  permission: 'canAccessMarketing',
  arguments: wanted,
  run: async (session, args, { limit, now }) => {
    const max = Math.min(limit, MAX_LISTED)
    const { found, more } = await campaignsLike(session, args, max + 1)
    const one = args.name === undefined ? undefined : meant(found, args.name)
    if (args.name !== undefined && found.length === 0) throw new ToolError('No campaign of that name')
    const listed = one ? [one] : found.slice(0, max)
    const results = one && one.started_at !== null ? await campaignResults(session, one.id, now) : null
    return {
      rows: listed.map((campaign) => ({
        ...rowOf(campaign, session),
        ...(results ? resultsOf(results) : {}),
      })),
      more: !one && (more || found.length > max),
      found: listed.map(({ id, name }) => ({ type: 'campaign', id, label: name, names: [name] })),
    }
  },
})

/** The only one, or the only one with exactly this name. */
function meant(found: readonly CampaignSummary[], name: string): CampaignSummary | undefined {
  if (found.length === 1) return found[0]
  const [exact, ...others] = found.filter((one) => fold(one.name) === fold(name))
  return others.length === 0 ? exact : undefined
}

async function campaignsLike(session: Session, { name, status, from, to }: Wanted, most: number) {
  const found: CampaignSummary[] = []
  const dayOf = ({ started_at, created_at }: CampaignSummary) =>
    localDate(new Date(started_at ?? created_at), session.organization.timezone)
  const fits = (one: CampaignSummary) =>
    (name === undefined || fold(one.name).includes(fold(name))) &&
    (from === undefined || dayOf(one) >= from) &&
    (to === undefined || dayOf(one) <= to)
  let cursor: string | null | undefined
  for (let page = 0; page < MAX_PAGES && cursor !== null && found.length < most; page++) {
    const { data, next_cursor } = await listCampaigns(session, { status, cursor, limit: PAGE })
    found.push(...data.filter(fits))
    cursor = next_cursor
  }
  return { found, more: cursor !== null }
}

function rowOf(campaign: CampaignSummary, { organization }: Pick<Session, 'organization'>) {
  const { name, status, reason, segment_name, progress, guests } = campaign
  const at = (instant: string | null) => (instant === null ? null : localTime(instant, organization.timezone))
  return {
    campaign: name,
    status,
    reason,
    segment: segment_name,
    guests_when_launched: status === 'draft' ? null : guests,
    created: at(campaign.created_at),
    starts: campaign.starts_local,
    started: at(campaign.started_at),
    finished: at(campaign.finished_at),
    // What the sandbox took went nowhere.
    messages_sent: progress.sent - progress.simulated,
    messages_simulated_not_sent: progress.simulated,
    messages_waiting: progress.pending,
  }
}

function resultsOf({ messages, attributed, ab, lift }: CampaignResults) {
  const { reservations, covers, revenue, estimated_revenue } = attributed
  return {
    messages: messages.map(({ step, variant, channel, progress, delivered, left_out }) => {
      const sent = progress.sent - progress.simulated
      return {
        ...{ step, version: variant, channel, sent, delivered: sent > 0 ? delivered : 0 },
        ...{ waiting: progress.pending, skipped: progress.skipped, failed: progress.failed },
        why_not: left_out.slice(0, 10),
      }
    }),
    attributed: {
      ...{ reservations, covers, revenue_eur: revenue, estimated_eur: estimated_revenue },
      meaning: 'Reservas de quienes la recibieron; también las de quien habría venido igualmente',
    },
    versions: ab && {
      ...{ winner: ab.winner, winner_reason: ab.winner_reason, ahead: ab.ahead, known: ab.known },
      by_version: ab.versions,
    },
    lift: hasControl(lift)
      ? {
          visits: inWords(lift.visits, 'visitas'),
          revenue: inWords(lift.revenue, 'EUR'),
          days: lift.days,
          guests_who_count: lift.treated.guests,
          control_group: lift.control.guests,
          guests_who_do_not_count_yet: lift.waiting,
        }
      : 'No se sabe: la campaña no tiene grupo de control',
  }
}

/** A difference as a sentence: a number by itself would be read as a total, and an unclear one as a result. */
function inWords({ known, per_thousand, low, high }: LiftDifference, unit: string): string {
  const whole = (value: number) => Math.round(value).toString()
  if (per_thousand === null || low === null || high === null)
    return known === 'too_few'
      ? `Todavía no se sabe: hacen falta al menos ${LIFT_MINIMUM.guests} clientes en cada grupo y ${LIFT_MINIMUM.visits} visitas`
      : 'Todavía no se sabe: nadie cuenta aún en uno de los dos grupos'
  const between = `entre ${whole(low)} y ${whole(high)} ${unit} por cada 1.000 clientes, con un 95 % de confianza`
  if (known === 'unclear') return `Todavía no se sabe si aporta algo: ${between}`
  const side = known === 'more' ? 'de más' : 'de menos'
  return `${whole(Math.abs(per_thousand))} ${unit} ${side} por cada 1.000 clientes que en el grupo de control (${between})`
}
