import { z } from 'zod'
import { CONSENT_STATES } from '@/lib/customers/consent'
import { FACT_CODES } from '@/lib/customers/fact-codes'
import { allergiesField } from '@/lib/customers/facts-schema'
import { brokenMark } from '@/lib/db/broken'
import { calendarDate, line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { loadedValues } from '@/lib/http/loaded'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { CHANNELS } from '@/lib/messaging/schema'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import { guestSearch } from '@/lib/search'
import { fold } from '@/lib/text/fold'
import { MAX_CONDITIONS, MAX_DEPTH, RFM_CLASSES } from './limits'

const MAX_LIST = 50
/** Characters of a definition as JSON. */
const MAX_LENGTH = 50_000

const unique = <T>(values: T[]) => [...new Set(values)]
const ids = z.array(z.guid().toLowerCase()).min(1).max(MAX_LIST).overwrite(unique)
const texts = (max: number) => z.array(line(max)).min(1).max(MAX_LIST).overwrite(unique)
const cities = z
  .array(line(120).refine((city) => fold(city) !== '', problemAs('required', 'Must not be blank')))
  .min(1)
  .max(MAX_LIST)
  .overwrite(unique)
const days = (least: number, most = 3650) => z.int().min(least).max(most)
const date = calendarDate(1900, 2199)
const chosen = z.enum(['any', 'all', 'none'])

const bounded = problemAs('one_required', 'Needs one bound at least')
const inOrder = problemAs('ends_before_start', 'Ends before it starts')

interface Bounds {
  min?: number | undefined
  max?: number | undefined
}
/** From `min` to `max`, both included; one of them may be absent. */
const bounds = (number: z.ZodNumber) => ({ min: number.optional(), max: number.optional() })
const withBounds = <S extends z.ZodType<Bounds>>(schema: S) =>
  schema
    .refine(({ min, max }) => min !== undefined || max !== undefined, bounded)
    .refine(
      ({ min, max }) => min === undefined || max === undefined || min <= max,
      problemAs('invalid', 'min is above max'),
    )

const between = { from: date.optional(), to: date.optional() }
const inTime = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to
const open = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from !== undefined || to !== undefined

const period = z
  .union([
    z.strictObject({ days: days(0) }),
    z.strictObject(between).refine(open, bounded).refine(inTime, inOrder),
  ])
  .meta({ description: 'The last so many days and today, or from one day to another' })
const visiting = { period: period.optional(), locations: ids.optional() }

const within = { days: days(1) }
const count = z.int().min(0).max(1_000_000)
const score = z.int().min(1).max(5)
const message = {
  campaign_id: z.guid().toLowerCase().optional(),
  automation_id: z.guid().toLowerCase().optional(),
  days: days(1).optional(),
}

/** Conditions on a customer, by what they ask about. A condition on what is not known does not hold. */
const CONDITIONS = [
  z.strictObject({ field: z.literal('search'), text: line(200).overwrite(guestSearch) }),
  z.strictObject({ field: z.literal('tags'), is: chosen, tags: texts(60) }),
  z.strictObject({ field: z.literal('tier'), tiers: ids }),
  z.strictObject({ field: z.literal('location'), locations: ids }),
  z.strictObject({ field: z.literal('source'), sources: texts(60) }),
  z.strictObject({ field: z.literal('consent'), channel: z.enum(CHANNELS), state: z.enum(CONSENT_STATES) }),
  withBounds(z.strictObject({ field: z.literal('visits'), ...visiting, ...bounds(count) })),
  withBounds(
    z.strictObject({
      field: z.literal('spend'),
      ...visiting,
      ...bounds(z.number().min(0).max(9_999_999_999)),
    }),
  ),
  withBounds(z.strictObject({ field: z.literal('points'), ...bounds(z.int().min(0).max(1_000_000_000)) })),
  withBounds(z.strictObject({ field: z.literal('no_shows'), ...bounds(count) })),
  withBounds(z.strictObject({ field: z.literal('no_show_rate'), ...bounds(z.number().min(0).max(100)) })),
  z.strictObject({ field: z.literal('rhythm'), is: z.enum(RHYTHM_STATES) }),
  z.strictObject({
    field: z.literal('rfm'),
    classes: z.array(z.enum(RFM_CLASSES)).min(1).max(RFM_CLASSES.length).overwrite(unique),
  }),
  z.strictObject({ field: z.literal('last_visit'), is: z.enum(['within', 'before']), ...within }),
  z
    .strictObject({ field: z.literal('last_visit'), is: z.literal('between'), ...between })
    .refine(open, bounded)
    .refine(inTime, inOrder),
  z.strictObject({ field: z.literal('last_visit'), is: z.literal('never') }),
  z.strictObject({ field: z.literal('created'), is: z.enum(['within', 'before']), ...within }),
  z
    .strictObject({ field: z.literal('created'), is: z.literal('between'), ...between })
    .refine(open, bounded)
    .refine(inTime, inOrder),
  z.strictObject({ field: z.literal('birthday'), is: z.literal('next_days'), days: days(0, 366) }),
  z.strictObject({ field: z.literal('birthday'), is: z.literal('month'), month: z.int().min(1).max(12) }),
  z.strictObject({ field: z.literal('birthday'), is: z.literal('this_month') }),
  z.strictObject({
    field: z.literal('facts'),
    is: chosen,
    codes: z.array(z.enum(FACT_CODES)).min(1).max(MAX_LIST).overwrite(unique),
  }),
  z.strictObject({ field: z.literal('booking'), days: days(0, 365), locations: ids.optional() }),
  z.strictObject({ field: z.enum(['received', 'opened', 'clicked']), ...message }),
  z.strictObject({ field: z.literal('not_written'), ...within }),
  withBounds(
    z.strictObject({ field: z.literal('survey_score'), ...bounds(score), days: days(1).optional() }),
  ),
  z.strictObject({
    field: z.literal('visited_on'),
    weekdays: z.array(z.int().min(1).max(7)).min(1).max(7).overwrite(unique),
    shift: z.enum(['lunch', 'dinner']).optional(),
    days: days(0).optional(),
  }),
  z.strictObject({ field: z.literal('birthday_within'), days: days(0, 366) }),
  z.strictObject({
    field: z.literal('birthday_month'),
    month: z.union([z.int().min(1).max(12), z.literal('next')]),
  }),
  z.strictObject({ field: z.literal('postal_code'), prefixes: texts(12) }),
  z.strictObject({ field: z.literal('city'), any: cities }),
  z.strictObject({
    field: z.literal('language'),
    any: z.array(z.enum(GUEST_LANGUAGES)).min(1).max(GUEST_LANGUAGES.length).overwrite(unique),
  }),
  withBounds(z.strictObject({ field: z.literal('party_size'), ...bounds(z.int().min(1).max(999)) })),
  z.strictObject({ field: z.literal('first_visit'), period }),
] as const

const condition = z.union(CONDITIONS).meta({
  id: 'SegmentCondition',
  description:
    'search: words of name, e-mail, phone or company. location: the usual one. visits and spend: of all time, or of a period and locations. ' +
    'no_show_rate: no-shows in per cent of no-shows and visits of past services, of guests with three of these or more. booking: a reservation later than now, within so many service days. facts: allergies, diets, preferences. ' +
    'rhythm: on_time, at_risk or lost, by the guest’s own rhythm; unknown: came on fewer than three days; overdue: away for longer than usual. ' +
    'rfm: by fifths of the group, how recently, how often and for how much they came. ' +
    'received, opened, clicked: a message that was sent and did not bounce, of all, of a campaign or of an automation; opened and clicked not by machines alone, and a click proves an opening. not_written: no marketing message was sent to them in the last days. ' +
    'survey_score: they answered the question after a visit with such a score. visited_on: they came on one of these weekdays (1 is Monday), as the service day has it; lunch begins before 17:00. ' +
    'birthday_month: a month, or the one after this (next). postal_code: begins with one of these, whatever its spaces and capitals. city: one of these, whatever its accents and capitals. language: one of these; who has none has the group’s. party_size: the size that most of their visits had, of equals the larger. first_visit: when they came for the first time.',
})
export type SegmentCondition = z.infer<typeof condition>
export type SegmentField = SegmentCondition['field']

const FIELDS = [...new Set(CONDITIONS.flatMap(({ shape }) => [...fieldsOf(shape.field)]))]
/** The fields that a literal or a choice names. */
function fieldsOf(field: z.ZodLiteral<SegmentField> | z.ZodEnum): Iterable<SegmentField> {
  return field instanceof z.ZodLiteral ? field.values : (field.options as SegmentField[])
}

/** Stands for what is stored and cannot be read any more; `field` is what it asked about, where that is known. */
const brokenCondition = z
  .strictObject({ broken: z.literal(true), field: z.enum(FIELDS).optional() })
  .meta({ id: 'BrokenCondition', description: 'Cannot be read any more: leave it out, or write it again' })
export type BrokenCondition = z.infer<typeof brokenCondition>

type Tree<Leaf> = Leaf | { and: Tree<Leaf>[] } | { or: Tree<Leaf>[] } | { not: Tree<Leaf> }
/** A condition, or a group of them. */
export type SegmentNode = Tree<SegmentCondition>
/** As a stored definition is shown. */
export type ShownNode = Tree<SegmentCondition | BrokenCondition>

/** What may stand `depth` groups deep; written out, so that the description of the API needs no recursion. */
function nodeAt<Leaf>(depth: number, leaf: z.ZodType<Leaf>, name: string): z.ZodType<Tree<Leaf>> {
  if (depth > MAX_DEPTH) return leaf
  const inner = nodeAt(depth + 1, leaf, name)
  const parts = z.array(inner).min(1).max(MAX_CONDITIONS)
  return z
    .union([
      leaf,
      z.strictObject({ and: parts }),
      z.strictObject({ or: parts }),
      z.strictObject({ not: inner }),
    ])
    .meta({ id: depth === 1 ? `${name}Definition` : `${name}Part${depth}` })
}

/** The conditions of a definition, in its order. */
export function conditionsOf(node: SegmentNode): SegmentCondition[]
export function conditionsOf(node: ShownNode): (SegmentCondition | BrokenCondition)[]
export function conditionsOf(node: ShownNode): (SegmentCondition | BrokenCondition)[] {
  if ('and' in node) return node.and.flatMap((part) => conditionsOf(part))
  if ('or' in node) return node.or.flatMap((part) => conditionsOf(part))
  return 'not' in node ? conditionsOf(node.not) : [node]
}

/** Whether every condition of a shown definition could be read. */
export const isReadable = (node: ShownNode): node is SegmentNode =>
  conditionsOf(node).every((one) => !('broken' in one))

/** Who belongs to a segment: at most 50 conditions, in groups at most five deep. */
export const segmentDefinition = nodeAt<SegmentCondition>(1, condition, 'Segment')
  .refine(
    (node) => conditionsOf(node).length <= MAX_CONDITIONS,
    problemAs('too_many', `at most ${MAX_CONDITIONS} conditions`, { maximum: MAX_CONDITIONS }),
  )
  .refine(
    (node) => JSON.stringify(node).length <= MAX_LENGTH,
    problemAs('too_long', `at most ${MAX_LENGTH} characters`, { maximum: MAX_LENGTH }),
  )

/** A stored definition as it is shown: what cannot be read any more is broken in its place, the rest is as it was. */
export function shownDefinition(stored: unknown): ShownNode {
  const whole = segmentDefinition.safeParse(stored)
  if (whole.success) return whole.data
  const shown = shownPart(stored, 1)
  // Each part can be read, but together they are too much.
  return isReadable(shown) ? { broken: true } : shown
}

const isGroup = ({ length }: unknown[]) => length > 0 && length <= MAX_CONDITIONS

function shownPart(stored: unknown, depth: number): ShownNode {
  const found = condition.safeParse(stored)
  if (found.success) return found.data
  const group: Record<string, unknown> = Object(stored)
  const [kind, ...others] = Object.keys(group)
  const parts = kind === undefined ? undefined : group[kind]
  if (others.length === 0 && depth <= MAX_DEPTH) {
    if (kind === 'not') return { not: shownPart(parts, depth + 1) }
    if ((kind === 'and' || kind === 'or') && Array.isArray(parts) && isGroup(parts)) {
      const shown = parts.map((part) => shownPart(part, depth + 1))
      return kind === 'and' ? { and: shown } : { or: shown }
    }
  }
  const field = FIELDS.find((one) => one === group.field)
  return field ? { field, broken: true } : { broken: true }
}

const fields = { name: line(120), shared: z.boolean(), definition: segmentDefinition }

export const newSegment = z.strictObject({ ...fields, shared: fields.shared.default(false) })
export type NewSegment = z.infer<typeof newSegment>

export const segmentChanges = z
  .strictObject(fields)
  .partial()
  .extend({
    loaded: loadedValues({ name: z.string().max(120), shared: z.boolean(), definition: z.unknown() }),
  })
export type SegmentChanges = z.infer<typeof segmentChanges>

const used = z.array(z.strictObject({ id: z.string(), name: z.string() }))
/** What uses a segment: how many, and those that the caller may see, 20 at most of each. */
export const segmentUses = z.strictObject({ total: z.int(), campaigns: used, automations: used })

export const segmentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    shared: z.boolean().meta({
      description:
        'With the group; else its owner alone sees it, and who may approve a campaign of theirs that uses it',
    }),
    owner_name: z.string().nullable().meta({ description: 'null: they left' }),
    mine: z.boolean(),
    can_change: z.boolean(),
    definition: nodeAt<SegmentCondition | BrokenCondition>(
      1,
      z.union([condition, brokenCondition]),
      'ShownSegment',
    ),
    version: z.int().meta({ description: 'Counts the changes of the definition' }),
    used_by: segmentUses.meta({
      description:
        'The automations, and the campaigns that are drafts or still take guests from it: how many, and those that the caller may see, 20 at most of each',
    }),
    created_at: instant,
    updated_at: instant,
    broken: brokenMark,
  })
  .meta({ id: 'Segment' })
export type Segment = z.infer<typeof segmentSchema>

export const previewInput = z.strictObject({
  definition: segmentDefinition,
  id: z.guid().optional().meta({ description: 'The segment that the definition would change' }),
})
export type PreviewInput = z.infer<typeof previewInput>

const guest = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  tier: z.string().nullable(),
  total_visits: z.int(),
  total_spend: z.number(),
  last_visit_at: instant.nullable(),
  last_visit_on: z.string().nullable(),
  allergies: allergiesField,
})
const group = { customers: z.int(), first: z.array(guest) }

export const segmentPreview = z
  .object({
    ...group,
    added: z.object(group).optional(),
    dropped: z.object(group).optional(),
  })
  .meta({
    id: 'SegmentPreview',
    description:
      'How many customers, and the first 20, who came last first; with `id` also whom the definition adds to the segment and drops.',
  })
export type SegmentPreview = z.infer<typeof segmentPreview>
export type SegmentGuest = z.infer<typeof guest>
