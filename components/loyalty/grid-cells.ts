import { EUR, readNumber, showNumber } from '@/components/forms/numbers'
import type { LoyaltyRule, RuleChange } from '@/lib/loyalty/schema'

/** The texts of a cell's two fields. */
export interface CellText {
  visits: string
  spend: string
}
export type CellProblem = keyof CellText

export const NO_RULE: CellText = { visits: '', spend: '' }
const MAX_VISITS = 1_000_000
const MAX_EUR = 9_999_999_999

/** The key of a cell: its location and its tier. */
export const cellKey = (location_id: string, tier_id: string) => `${location_id} ${tier_id}`

/** The saved rules as the fields show them. */
export function cellTexts(rules: readonly LoyaltyRule[], locale: string): ReadonlyMap<string, CellText> {
  return new Map(
    rules.map(({ location_id, tier_id, min_visits, min_spend }) => [
      cellKey(location_id, tier_id),
      { visits: String(min_visits), spend: showNumber(min_spend, locale) },
    ]),
  )
}

/** The rule in the fields (null when both are empty; one empty field counts as 0), or the invalid field. */
function readCell(
  { visits, spend }: CellText,
  locale: string,
): { rule: RuleChange['rule'] } | { problem: CellProblem } {
  if (visits.trim() === '' && spend.trim() === '') return { rule: null }
  const min_visits = readNumber(visits.trim() || '0', locale)
  const min_spend = readNumber(spend.trim() || '0', locale, EUR)
  if (min_visits === null || min_visits < 0 || min_visits > MAX_VISITS) return { problem: 'visits' }
  if (min_spend === null || min_spend < 0 || min_spend > MAX_EUR) return { problem: 'spend' }
  return { rule: { min_visits, min_spend } }
}

/** The drafts that differ from the saved rules, as changes; and the invalid cells, each with its field. Read in that language. */
export function readDrafts(
  saved: ReadonlyMap<string, CellText>,
  drafts: Readonly<Record<string, CellText>>,
  locale: string,
) {
  const changes: RuleChange[] = []
  const problems: Record<string, CellProblem> = {}
  for (const [key, draft] of Object.entries(drafts)) {
    const [location_id = '', tier_id = ''] = key.split(' ')
    const read = readCell(draft, locale)
    if ('problem' in read) problems[key] = read.problem
    else if (JSON.stringify(read) !== JSON.stringify(readCell(saved.get(key) ?? NO_RULE, locale)))
      changes.push({ location_id, tier_id, rule: read.rule })
  }
  return { changes, problems }
}
