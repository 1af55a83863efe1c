import audit from '@/lib/i18n/es/audit.json'
import reasons from '@/lib/i18n/es/client/message-reasons.json'

const ACTIONS = Object.entries(audit.actions).flatMap(([kind, words]) =>
  Object.keys(words).map((word) => `${kind}.${word}`),
)

/** Refuses a code (what `pattern` matches) that is not one of these; other texts are people's or providers' own. */
const only = (table: string, column: string, pattern: string, codes: string[]) =>
  `alter table public.${table} drop constraint if exists ${column}_has_words,
     add constraint ${column}_has_words
       check (${column} !~ '${pattern}' or ${column} in ('${codes.join("', '")}')) not valid`

const REASON = '^(?!template_)[a-z_]{3,}$'

/**
 * Statements by which a test's database refuses what has no words for people: an action of the audit log, a reason of a
 * message or of a paused run. Every test that leads to one notices; texts.test.ts compares the two languages.
 */
export const ONLY_WITH_WORDS: string[] = [
  only('audit_log', 'action', '^[a-z_]+[.][a-z_]+$', ACTIONS),
  only('messages', 'reason', REASON, Object.keys(reasons)),
  only('automation_runs', 'reason', REASON, Object.keys(reasons)),
]
