import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'
import { AI_CEILINGS, APPROVE_ABOVE, DAYS } from '@/lib/organization/days'
import type { Organization } from '@/lib/organization/schema'

/** The fields that are a whole number, and their bounds. */
export const NUMBERS = { ...DAYS, ...AI_CEILINGS, approve_above: APPROVE_ABOVE } as const
type NumberName = keyof typeof NUMBERS
type TimeName = 'quiet_from' | 'quiet_until'
export type FieldName = NumberName | TimeName
export type CardName = keyof Messages['client']['general']['cards']

/** The fields of each card, in the order of the form; those of one row stand side by side. */
export const CARDS = {
  sends: [['quiet_from', 'quiet_until'], ['frequency_cap_days']],
  approval: [['approve_above']],
  horizon: [['horizon_days']],
  keep: [
    ['keep_automation_runs_days', 'keep_job_runs_days'],
    ['keep_webhook_receipts_days', 'keep_failed_rows_days'],
  ],
  assistant: [
    ['ai_daily_calls', 'ai_daily_calls_per_person'],
    ['ai_daily_tokens', 'ai_daily_tokens_per_person'],
  ],
} as const satisfies Partial<Record<CardName, readonly (readonly FieldName[])[]>>

export const isNumber = (name: FieldName): name is NumberName => name in NUMBERS

const MAY_BE_EMPTY: readonly FieldName[] = ['horizon_days', 'approve_above']

/** What the form holds: the text of each of the card's fields. */
export type Draft = Partial<Record<FieldName, string>>

/** The stored values of a card's fields as texts. */
export function draftOf(card: keyof typeof CARDS, organization: Organization): Draft {
  return Object.fromEntries(CARDS[card].flat().map((name) => [name, String(organization[name] ?? '')]))
}

/** The fields whose text is no value of theirs. */
export function problemsOf(draft: Draft): FieldName[] {
  return Object.entries(draft).flatMap(([field, text]) => {
    const name = field as FieldName
    if (!isNumber(name)) return /^\d\d:\d\d$/.test(text) ? [] : [name]
    if (MAY_BE_EMPTY.includes(name) && text.trim() === '') return []
    const { min, max } = NUMBERS[name]
    const number = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
    return number >= min && number <= max ? [] : [name]
  })
}

/** The body that saves what differs from the stored values. */
export function changesOf(draft: Draft, saved: Draft): Record<string, string | number | null> {
  const changed = Object.entries(draft).filter(([name, text]) => text !== saved[name as FieldName])
  return Object.fromEntries(
    changed.map(([name, text]) => {
      if (!isNumber(name as FieldName)) return [name, text]
      return [name, text.trim() === '' ? null : Number(text)]
    }),
  )
}

/** The card's field that an error of the API is about. */
export function refusedField(draft: Draft, error: string): FieldName[] {
  const field = fieldOf(error)
  return field !== null && field in draft ? [field as FieldName] : []
}
