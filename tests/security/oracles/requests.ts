import { LOCATION_RULES } from '../roles/location-rules'
import { requestOf } from '../roles/requests'
import { OPERATIONS, refusalOf } from '../roles/tries'
import { definitionsOf } from './functions'
import { idOf, type World } from './worlds'

export interface Ask {
  label: string
  method: string
  path: string
  body?: unknown
}

/** They end the session, or need what no test has; the morning as a file says what /api/morning says. */
const LEFT_OUT = /^\w+ \/api\/(auth|setup|account|ai|webhooks|integrations|u\/|f\/|morning\/pdf)/
/** What removes a record that the others ask about comes last. */
const rank = ({ method, label }: Ask) => {
  if (method === 'GET' || label.includes('/preview')) return 0
  return method === 'DELETE' ? 3 : /merge|undo/.test(label) ? 2 : 1
}

/** Every operation that a bound administrator may call, about a record of the own location; and what asks with filters. */
export function asksOf(world: World): Ask[] {
  const usual = Object.entries(OPERATIONS)
    .filter(([name, operation]) => !LEFT_OUT.test(name) && refusalOf(operation, 'boundAdmin') === null)
    .map(([name, operation]) => ({
      label: name,
      ...requestOf(name, operation, world.own, {
        harmless: false,
        names: LOCATION_RULES[name]?.kind === 'body',
        self: world.people.admin.id,
        guest: world.guests.twin,
        tier: idOf(world.letter, 'tier 3'),
      }),
    }))
    // An address is invited once, by whichever group.
    .map((ask) =>
      ask.path === '/api/team/invitations' && ask.body
        ? { ...ask, body: { ...ask.body, email: `${world.letter}.nueva@equipo.example` } }
        : ask,
    )
  return [...usual, ...filtered(world), ...previews(world)].sort((one, other) => rank(one) - rank(other))
}

function filtered({ own, other }: World): Ask[] {
  const customers = [
    ...['inactive', 'new', 'vip', 'birthday', 'no_show'].map((segment) => `segment=${segment}`),
    ...['recent', 'name', 'spend', 'visits'].map((sort) => `sort=${sort}`),
    `location_id=${other.location}`,
    `segment_id=${own.rows.segments}`,
  ]
  const paths = [
    ...customers.flatMap((query) => [
      `/api/customers?${query}`,
      `/api/customers/count?${query.replace(/sort=\w+/, '')}`,
    ]),
    '/api/reservations?risk=high',
    `/api/reservations?location_id=${other.location}`,
    '/api/customers/duplicates/merge?above=0.9',
  ]
  return paths.map((path) => ({
    label: `GET ${path.replaceAll(/[0-9a-f-]{36}/g, '…')}`,
    method: 'GET',
    path,
  }))
}

/** Previews of automations and campaigns to the guests of each segment: segments are made by `segmentRows`. */
function previews(world: World): Ask[] {
  const location_ids = [world.own.location]
  const text = { channel: 'email', subject: 'Hola', body: 'Hola {{ first_name }}' }
  return definitionsOf(world).flatMap((definition, n) => {
    const segment_id = segmentId(world, n)
    const says = JSON.stringify(definition).replaceAll(/[0-9a-f-]{36}/g, '…')
    const automation = {
      ...text,
      type: 'reengagement',
      criteria: { inactive_days: 1, segment_id },
      location_ids,
    }
    const visited = {
      ...text,
      type: 'post_visit',
      criteria: { segment_id, window_hours: 2000 },
      location_ids,
    }
    const campaign = {
      ...{ segment_id, location_ids, exclude_recent_days: 3, control_share: 0 },
      messages: [{ step: 1, variant: 'a', fallback_channel: null, ...text }],
    }
    const asks: [string, object][] = [
      ['/api/automations/preview', automation],
      // The other condition on the guests of reservations.
      ...(n < 3 ? [['/api/automations/preview', visited] as [string, object]] : []),
      ['/api/campaigns/preview', campaign],
    ]
    return asks.map(([path, body]) => ({ label: `POST ${path} of ${says}`, method: 'POST', path, body }))
  })
}

const segmentId = ({ letter }: Pick<World, 'letter'>, n: number) => idOf(letter, `segment ${n}`)

/** A shared segment for each definition, of whoever works everywhere. */
export function segmentRows(world: World): { id: string; name: string; definition: object }[] {
  return definitionsOf(world).map((definition, n) => ({
    id: segmentId(world, n),
    name: `Segmento ${n}`,
    definition,
  }))
}
