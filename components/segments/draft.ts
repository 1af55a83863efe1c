import { EUR, type NumberKind, readNumber, showNumber } from '@/components/forms/numbers'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import type { SegmentCondition, SegmentField, SegmentNode, ShownNode } from '@/lib/segments/schema'

/** The fields in the order in which they are offered. What else the API asks about birthdays is a way of `birthday`. */
export const FIELDS = [
  'last_visit',
  'first_visit',
  'rhythm',
  'rfm',
  'visits',
  'visited_on',
  'party_size',
  'spend',
  'tier',
  'points',
  'tags',
  'birthday',
  'consent',
  'received',
  'opened',
  'clicked',
  'not_written',
  'survey_score',
  'facts',
  'booking',
  'no_shows',
  'no_show_rate',
  'location',
  'postal_code',
  'city',
  'language',
  'source',
  'created',
  'search',
] as const satisfies readonly SegmentField[]

/** The operators of each field; the first is the default of a new condition. */
export const WAYS = {
  tags: ['any', 'all', 'none'],
  facts: ['any', 'all', 'none'],
  last_visit: ['before', 'within', 'between', 'never'],
  created: ['within', 'before', 'between'],
  birthday: ['this_month', 'next_month', 'next_days', 'month'],
  visited_on: ['any_shift', 'lunch', 'dinner'],
  rhythm: RHYTHM_STATES,
} as const satisfies Partial<Record<SegmentField, readonly string[]>>
export const PERIODS = ['ever', 'days', 'between'] as const

/** A condition in the form: numbers as typed. Only the values of its field are in use. */
export interface ConditionDraft {
  key: number
  negated: boolean
  /** What was stored cannot be read any more, and has to be written again. */
  broken?: boolean
  field: SegmentField
  is: string
  text: string
  min: string
  max: string
  days: string
  month: string
  from: string
  to: string
  /** Tags, ids of tiers, codes, RFM classes, weekdays, cities, or languages. */
  list: string[]
  locations: string[]
  channel: 'whatsapp' | 'sms' | 'email'
  state: 'reachable' | 'opted_out' | 'opt_in' | 'existing_customer' | 'none'
  period: (typeof PERIODS)[number]
  /** Ids; empty: any. */
  campaign: string
  automation: string
}
export interface GroupDraft {
  key: number
  negated: boolean
  kind: 'and' | 'or'
  parts: PartDraft[]
}
export type PartDraft = ConditionDraft | GroupDraft

export const isGroup = (part: PartDraft): part is GroupDraft => 'parts' in part

/** Returns a key that no other part of the tree has. */
export const nextKey = (root: GroupDraft): number => Math.max(...keysOf(root)) + 1
const keysOf = (part: PartDraft): number[] => [part.key, ...(isGroup(part) ? part.parts.flatMap(keysOf) : [])]

export const newGroup = (key: number, kind: GroupDraft['kind'] = 'and'): GroupDraft => ({
  ...{ key, negated: false, kind },
  parts: [],
})

export const newCondition = (key: number, field: SegmentField = 'last_visit'): ConditionDraft => ({
  key,
  negated: false,
  field,
  is: field in WAYS ? WAYS[field as keyof typeof WAYS][0] : '',
  ...{ text: '', min: '', max: '', days: '', month: '1', from: '', to: '', list: [], locations: [] },
  channel: 'whatsapp',
  state: 'reachable',
  period: field === 'first_visit' ? 'days' : 'ever',
  ...{ campaign: '', automation: '' },
})

/** Turns a definition into the form's tree. The root is always a group. */
export function draftOf(definition: ShownNode, locale: string): GroupDraft {
  let last = 0
  const key = () => ++last
  function part(node: ShownNode, negated = false): PartDraft {
    if ('not' in node) return part(node.not, !negated)
    if ('and' in node) return { key: key(), negated, kind: 'and', parts: node.and.map((one) => part(one)) }
    if ('or' in node) return { key: key(), negated, kind: 'or', parts: node.or.map((one) => part(one)) }
    if ('broken' in node) return { ...newCondition(key(), node.field), negated, broken: true }
    return { ...conditionDraft(node, key(), locale), negated }
  }
  const root = part(definition)
  return isGroup(root) ? root : { ...newGroup(key()), parts: [root] }
}

function conditionDraft(condition: SegmentCondition, key: number, locale: string): ConditionDraft {
  const given = condition as Partial<Record<string, unknown>>
  const shown = (name: string) =>
    typeof given[name] === 'number' ? showNumber(given[name], locale) : String(given[name] ?? '')
  const period = given.period as { days?: number; from?: string; to?: string } | undefined
  const list = given.tags ?? given.tiers ?? given.codes ?? given.classes ?? given.weekdays ?? given.any ?? []
  const typed = given.sources ?? given.prefixes
  const { field, is } = formOf(condition)
  return {
    ...newCondition(key, field),
    ...(is === undefined ? {} : { is }),
    ...('channel' in condition ? { channel: condition.channel, state: condition.state } : {}),
    // Sources and postal codes are typed as text, separated by commas.
    text: Array.isArray(typed) ? typed.join(', ') : shown('text'),
    min: shown('min'),
    max: shown('max'),
    days: period ? String(period.days ?? '') : shown('days'),
    month: shown('month') || '1',
    from: period ? (period.from ?? '') : shown('from'),
    to: period ? (period.to ?? '') : shown('to'),
    list: (list as unknown[]).map(String),
    locations: (given.locations ?? []) as string[],
    period: period ? (period.days === undefined ? 'between' : 'days') : 'ever',
    campaign: shown('campaign_id'),
    automation: shown('automation_id'),
  }
}

/** The field and the way by which the form has a condition. */
function formOf(condition: SegmentCondition): { field: SegmentField; is?: string | undefined } {
  if (condition.field === 'birthday_within') return { field: 'birthday', is: 'next_days' }
  if (condition.field === 'birthday_month')
    return { field: 'birthday', is: condition.month === 'next' ? 'next_month' : 'month' }
  if (condition.field === 'visited_on') return { field: condition.field, is: condition.shift }
  return { field: condition.field, is: 'is' in condition ? condition.is : undefined }
}

/** Turns the form, written in that language, into a definition for the API; null while it is incomplete. */
export function definitionOf(part: PartDraft, locale: string): SegmentNode | null {
  if (!isGroup(part)) {
    const condition = conditionOf(part, locale)
    return condition && part.negated ? { not: condition } : condition
  }
  const parts = part.parts.map((one) => definitionOf(one, locale))
  if (parts.length === 0 || parts.includes(null)) return null
  const group = { [part.kind]: parts } as SegmentNode
  return part.negated ? { not: group } : group
}

interface NumberRule extends NumberKind {
  min: number
  max: number
}
const BOUNDS: Partial<Record<SegmentField, NumberRule>> = {
  spend: { ...EUR, min: 0, max: 9_999_999_999 },
  points: { min: 0, max: 1_000_000_000 },
  no_show_rate: { decimals: 2, min: 0, max: 100 },
  survey_score: { min: 1, max: 5 },
  party_size: { min: 1, max: 999 },
}
const FROM_TODAY: readonly SegmentField[] = [
  'birthday',
  'booking',
  'visits',
  'spend',
  'visited_on',
  'first_visit',
]
const MOST_DAYS: Partial<Record<SegmentField, number>> = { birthday: 366, booking: 365 }

/** Which numbers the API takes for a value of a field. */
export const ruleOf = (field: SegmentField, value: 'min' | 'max' | 'days'): NumberRule =>
  value === 'days'
    ? { min: FROM_TODAY.includes(field) ? 0 : 1, max: MOST_DAYS[field] ?? 3650 }
    : (BOUNDS[field] ?? { min: 0, max: 1_000_000 })

/** The number that is typed for a value: undefined for none, NaN for what the API does not take. */
function numberIn(draft: ConditionDraft, value: 'min' | 'max' | 'days', locale: string): number | undefined {
  if (draft[value].trim() === '') return undefined
  const { min, max, ...kind } = ruleOf(draft.field, value)
  const number = readNumber(draft[value], locale, kind)
  return number !== null && number >= min && number <= max ? number : Number.NaN
}
/** Removes absent values. */
const given = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Turns a condition into the API's form; null while it is incomplete. */
export function conditionOf(draft: ConditionDraft, locale: string): SegmentCondition | null {
  const { field, is, list, locations } = draft
  const typed = (value: 'min' | 'max' | 'days') => numberIn(draft, value, locale)
  const [min, max, days] = [typed('min'), typed('max'), typed('days')]
  if (draft.broken || [min, max, days].some(Number.isNaN)) return null
  const bounds = min === undefined && max === undefined ? null : given({ min, max })
  const between =
    draft.from || draft.to ? given({ from: draft.from || undefined, to: draft.to || undefined }) : null
  const where = locations.length > 0 ? { locations } : {}
  const of = (values: object | null | false) => (values ? ({ field, ...values } as SegmentCondition) : null)
  const several = draft.text.split(',').flatMap((one) => one.trim() || [])
  const listed = (name: string) => list.length > 0 && { [name]: list }
  switch (field) {
    case 'search':
      return of(draft.text.trim() !== '' && { text: draft.text.trim() })
    case 'tags':
      return of(list.length > 0 && { is, tags: list })
    case 'facts':
      return of(list.length > 0 && { is, codes: list })
    case 'tier':
      return of(listed('tiers'))
    case 'rhythm':
      return of({ is })
    case 'rfm':
      return of(listed('classes'))
    case 'source':
      return of(several.length > 0 && { sources: several })
    case 'postal_code':
      return of(several.length > 0 && { prefixes: several })
    case 'city':
    case 'language':
      return of(listed('any'))
    case 'location':
      return of(locations.length > 0 && where)
    case 'consent':
      return of({ channel: draft.channel, state: draft.state })
    case 'points':
    case 'no_shows':
    case 'no_show_rate':
    case 'party_size':
      return of(bounds)
    case 'survey_score':
      return of(bounds && given({ ...bounds, days }))
    case 'not_written':
      return of(days !== undefined && { days })
    case 'received':
    case 'opened':
    case 'clicked':
      return of(
        given({
          campaign_id: draft.campaign || undefined,
          automation_id: draft.automation || undefined,
          days,
        }),
      )
    case 'visited_on': {
      const shift = is === 'any_shift' ? undefined : is
      return of(list.length > 0 && given({ weekdays: list.map(Number), shift, days }))
    }
    case 'visits':
    case 'spend':
    case 'first_visit': {
      const period = {
        ever: field !== 'first_visit' && {},
        days: days !== undefined && { period: { days } },
        between: between && { period: between },
      }[draft.period]
      if (field === 'first_visit') return of(period)
      return of(bounds && period && { ...bounds, ...period, ...where })
    }
    case 'last_visit':
    case 'created':
      if (is === 'never') return of({ is })
      if (is === 'between') return of(between && { is, ...between })
      return of(days !== undefined && { is, days })
    case 'birthday':
      if (is === 'month') return of({ is, month: Number(draft.month) })
      if (is === 'next_month') return { field: 'birthday_month', month: 'next' }
      return is === 'next_days' ? of(days !== undefined && { is, days }) : of({ is })
    case 'booking':
      return of(days !== undefined && { days, ...where })
    // The form has these as a birthday.
    case 'birthday_within':
    case 'birthday_month':
      return null
  }
}

/** The number of conditions in a part. */
export const conditionsIn = (part: PartDraft): number =>
  isGroup(part) ? part.parts.reduce((sum, each) => sum + conditionsIn(each), 0) : 1

/** The depth of groups in the definition of a part; a negation counts as a group. */
export const depthOf = (part: PartDraft): number =>
  (part.negated ? 1 : 0) + (isGroup(part) ? 1 + Math.max(0, ...part.parts.map(depthOf)) : 0)
