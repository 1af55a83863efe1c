import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { requiredText } from '@/lib/http/fields'
import { listLocations } from '@/lib/locations/locations'
import { listTiers } from '@/lib/loyalty/tiers'
import { conditionsOf, isReadable, type Segment, type ShownNode } from '@/lib/segments/schema'
import { listSegments, previewSegment } from '@/lib/segments/segments'
import { fold } from '@/lib/text/fold'
import { defineTool, type Found, ToolError } from './tool'

const MAX_LISTED = 50

/** The segments that the caller may read; how many guests belong to one when a single one is meant. */
export const segments = defineTool({
  name: 'segments',
  description:
    'Segmentos guardados (grupos de clientes por condiciones) que la persona puede ver: nombre, de quién son, si los ve todo el grupo y sus condiciones. Con el nombre de uno, también cuántos clientes tiene ahora en los locales de la persona.',
  permission: 'canAccessClientes',
  arguments: z.strictObject({ name: requiredText(120).optional().describe('Su nombre o parte de él') }),
  run: async (session, { name }, { limit, now }) => {
    const all = await listSegments(session)
    const found = name === undefined ? all : segmentsLike(all, name)
    const [one, ...others] = found
    if (name !== undefined && !one)
      throw new ToolError(
        `No such segment. The segments are: ${JSON.stringify(all.slice(0, MAX_LISTED).map((each) => each.name))}`,
      )
    const listed = found.slice(0, Math.min(limit, MAX_LISTED))
    const definition = name !== undefined && others.length === 0 ? one?.definition : undefined
    const [names, counted] = await Promise.all([
      namesOf(session, listed),
      definition && isReadable(definition) ? previewSegment(session, { definition }, now) : null,
    ])
    return {
      rows: listed.map((segment) => ({
        ...rowOf(segment, names),
        ...(counted ? { guests_now: counted.customers } : {}),
      })),
      more: found.length > listed.length,
      found: listed.map(foundOf),
    }
  },
})

/** The one with this name, else those whose name contains it. */
function segmentsLike(all: readonly Segment[], name: string): Segment[] {
  const exact = all.filter((one) => fold(one.name) === fold(name))
  return exact.length > 0 ? exact : all.filter((one) => fold(one.name).includes(fold(name)))
}

const rowOf = ({ name, shared, mine, owner_name, definition }: Segment, names: Map<string, string>) => ({
  segment: name,
  seen_by: shared ? 'todo el grupo' : 'solo la persona que pregunta',
  owner: mine ? 'la persona que pregunta' : (owner_name ?? 'ya no está en el equipo'),
  conditions: inWords(definition, names),
})

const foundOf = ({ id, name }: Segment): Found => ({ type: 'segment', id, label: name, names: [name] })

/** The names of what conditions hold by id, as far as the caller may know them. */
async function namesOf(session: Session, listed: readonly Segment[]): Promise<Map<string, string>> {
  const conditions = listed.flatMap(({ definition }) => conditionsOf(definition))
  const idsOf = (key: 'campaign_id' | 'automation_id') =>
    conditions.flatMap((one) => Object(one)[key] ?? []).slice(0, MAX_LISTED) as string[]
  const named = (table: 'campaigns' | 'automations', ids: string[]) =>
    ids.length === 0 ? { data: [], error: null } : session.db.from(table).select('id, name').in('id', ids)
  const [tiers, locations, campaigns, automations] = await Promise.all([
    listTiers(session),
    listLocations(session),
    named('campaigns', idsOf('campaign_id')),
    named('automations', idsOf('automation_id')),
  ])
  const others = [...(unwrap(campaigns) ?? []), ...(unwrap(automations) ?? [])]
  return new Map([...tiers, ...locations, ...others].map(({ id, name }) => [id, name]))
}

/** The conditions with names in place of ids. What is searched for may be a guest's address or phone: it stays here. */
function inWords(node: ShownNode, names: Map<string, string>): object {
  if ('and' in node) return { and: node.and.map((part) => inWords(part, names)) }
  if ('or' in node) return { or: node.or.map((part) => inWords(part, names)) }
  if ('not' in node) return { not: inWords(node.not, names) }
  if ('broken' in node) return { ...node, note: 'no se puede leer: nadie la cumple' }
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? 'otro')
  if (node.field === 'search') return { field: 'search', text: '…' }
  return {
    ...node,
    ...('tiers' in node ? { tiers: named(node.tiers) } : {}),
    ...('campaign_id' in node && node.campaign_id ? { campaign_id: named([node.campaign_id])[0] } : {}),
    ...('automation_id' in node && node.automation_id
      ? { automation_id: named([node.automation_id])[0] }
      : {}),
    ...('locations' in node && node.locations ? { locations: named(node.locations) } : {}),
  }
}
