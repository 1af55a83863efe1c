import type { Operation } from '@/lib/openapi/operation'
import type { Place } from './places'

export type Scope = 'own' | 'other location' | 'other organization'

/** The id of nothing. */
export const NOWHERE = '00000000-0000-4000-8000-000000000000'
/** The table behind a path's id. */
const TABLES: Record<string, string> = {
  customers: 'customers',
  'customer-merges': 'customer_merges',
  guests: 'customers',
  reservations: 'reservations',
  parties: 'reservations',
  automations: 'automations',
  messages: 'messages',
  'calendar-events': 'calendar_events',
  tickets: 'tickets',
  brands: 'brands',
  locations: 'locations',
  closings: 'closed_days',
  waitlist: 'waitlist',
  feedback: 'feedback',
  conversations: 'conversations',
  'shift-notes': 'shift_notes',
  team: 'profiles',
  invitations: 'invitations',
  imports: 'import_runs',
  segments: 'segments',
  campaigns: 'campaigns',
  'email-images': 'email_images',
  'email-templates': 'email_templates',
}

interface Options {
  /** Stands for every id of the path instead of the place's. */
  id?: string
  /** Whoever may ask must not use up the records the others need. */
  harmless: boolean
  /** Whether its body or query names a location. */
  names: boolean
  self: string
  /** A guest of the asker's own organization. */
  guest: string
  tier: string
}

/** The request of an operation about a place: its ids in the path, and in the operation's own example as the body. */
export function requestOf(name: string, operation: Operation, place: Place, options: Options) {
  const [method = '', documented = ''] = name.split(' ')
  const { harmless } = options
  const reads = method === 'GET'
  const path = documented.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, folder: string, parameter: string) => {
    if (parameter === 'type') return `${folder}/ai`
    if (parameter === 'step') return `${folder}/channels`
    if (parameter === 'limit') return `${folder}/campaign_approve_above`
    if (parameter === 'token') return `${folder}/x`
    if (options.id) return `${folder}/${options.id}`
    if (parameter === 'runId') return `${folder}/${place.rows.automation_runs}`
    const id =
      harmless && !reads && method !== 'PATCH' ? NOWHERE : (place.rows[TABLES[folder] ?? ''] ?? NOWHERE)
    return `${folder}/${id}`
  })
  if (reads)
    return {
      method,
      path: options.names ? `${path}?location_id=${place.location}` : path,
      body: undefined,
    }
  if (harmless) return { method, path, body: method === 'DELETE' ? undefined : {} }
  if (method === 'DELETE') return { method, path, body: undefined }
  const body = about(operation.bodyExample ?? {}, place, options) as object
  const isNamed = !options.names || JSON.stringify(body).includes(place.location)
  return { method, path, body: isNamed ? body : { ...body, location_id: place.location } }
}

/** The example with the ids of the place where it has ids. */
function about(example: unknown, place: Place, options: Options): unknown {
  if (Array.isArray(example)) return example.map((value) => about(value, place, options))
  if (example === null || typeof example !== 'object') return example
  const filled = Object.entries(example).map(([name, value]) => [name, idOf(name, value)] as const)
  const isPlanned = 'channel' in example && 'type' in example
  return { ...Object.fromEntries(filled), ...(isPlanned ? { location_ids: [place.location] } : {}) }

  function idOf(name: string, value: unknown): unknown {
    if (['location_id', 'locationId'].includes(name)) return place.location
    if (name === 'location_ids') return [place.location]
    if (name === 'tier_id') return options.tier
    if (name === 'segment_id') return place.rows.segments
    if (name === 'assignee_id') return options.self
    if (name === 'duplicate_id') return options.guest
    return about(value, place, options)
  }
}
