/** The codes of customer facts by kind: the fourteen allergens of EU law (and lactose), diets and preferences. */
export const FACTS = {
  allergy: [
    'gluten',
    'crustaceans',
    'egg',
    'fish',
    'peanut',
    'soy',
    'milk',
    'lactose',
    'nuts',
    'celery',
    'mustard',
    'sesame',
    'sulphites',
    'lupin',
    'molluscs',
  ],
  diet: ['vegetarian', 'vegan', 'halal', 'kosher', 'no_alcohol', 'pregnant', 'diabetic'],
  preference: ['window', 'terrace', 'inside', 'quiet', 'bar', 'high_chair', 'wheelchair', 'pram', 'dog'],
} as const
export type FactKind = keyof typeof FACTS
export type FactCode = (typeof FACTS)[FactKind][number]

export const FACT_KINDS = Object.keys(FACTS) as FactKind[]
export const FACT_CODES = Object.values(FACTS).flat() as [FactCode, ...FactCode[]]

/** The longest note of a fact. */
export const FACT_NOTE_LIMIT = 200

/** The kind of a fact. */
export const kindOf = (code: FactCode): FactKind =>
  FACT_KINDS.find((kind) => (FACTS[kind] as readonly string[]).includes(code)) ?? 'preference'

/** The codes of the allergies among a guest's facts, in the order of private.allergy_codes. */
export const allergyCodes = (facts: readonly { code: FactCode; kind: FactKind }[]): FactCode[] =>
  facts
    .filter(({ kind }) => kind === 'allergy')
    .map(({ code }) => code)
    .toSorted()

/** A fact in a request: its kind follows from the code. */
export interface RecordedFact {
  code: FactCode
  note: string | null
}

/**
 * Merges concurrent changes: applies a person's changes from `before` to `after` to the facts recorded `now`, which a
 * colleague may have changed. An allergy that the colleague added stays.
 */
export function withChanges(
  now: readonly RecordedFact[],
  before: readonly RecordedFact[],
  after: readonly RecordedFact[],
): RecordedFact[] {
  const facts = new Map(now.map(({ code, note }) => [code, note]))
  const given = new Map(before.map(({ code, note }) => [code, note]))
  const kept = new Set(after.map(({ code }) => code))
  for (const { code } of before) if (!kept.has(code)) facts.delete(code)
  for (const { code, note } of after) if (!given.has(code) || given.get(code) !== note) facts.set(code, note)
  return [...facts].map(([code, note]) => ({ code, note }))
}
