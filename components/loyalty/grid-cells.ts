import { parseNumber, showNumber } from '@/components/forms/decimals'
import type { LoyaltyRule, RuleChange } from '@/lib/loyalty/schema'

/** The texts of a cell's two fields. */
export interface CellText {
  visits: string
  spend: string
}
export type CellProblem = keyof CellText

export const NO_RULE: CellText = { visits: '', spend: '' }
const MAX_VISITS = 1_000_000

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
function readCell({ visits, spend }: CellText): { rule: RuleChange['rule'] } | { problem: CellProblem } {
  if (visits.trim() === '' && spend.trim() === '') return { rule: null }
  const min_visits = parseNumber(visits.trim() || '0')
  const min_spend = parseNumber(spend.trim() || '0')
  if (min_visits === null || !Number.isInteger(min_visits) || min_visits > MAX_VISITS)
    return { problem: 'visits' }
  return min_spend === null ? { problem: 'spend' } : { rule: { min_visits, min_spend } }
}

/** The drafts that differ from the saved rules, as changes; and the invalid cells, each with its field. */
export function readDrafts(saved: ReadonlyMap<string, CellText>, drafts: Readonly<Record<string, CellText>>) {
  const changes: RuleChange[] = []
  const problems: Record<string, CellProblem> = {}
  for (const [key, draft] of Object.entries(drafts)) {
    const [location_id = '', tier_id = ''] = key.split(' ')
    const read = readCell(draft)
    if ('problem' in read) problems[key] = read.problem
    else if (JSON.stringify(read) !== JSON.stringify(readCell(saved.get(key) ?? NO_RULE)))
      changes.push({ location_id, tier_id, rule: read.rule })
  }
  return { changes, problems }
}
