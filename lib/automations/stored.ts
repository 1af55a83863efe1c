import 'server-only'
import { parseRows } from '@/lib/db/rows'
import { completeCriteria } from './check'
import { type Automation, automationSchema } from './schema'

/** Stored automations. One with something that cannot be read is `broken`; unreadable criteria are empty. */
export function parseAutomations(rows: unknown): Automation[] {
  return parseRows(automationSchema, rows).map((automation) => {
    const { type, criteria } = automation
    return completeCriteria(type, criteria).success
      ? automation
      : { ...automation, criteria: {}, broken: true as const }
  })
}
