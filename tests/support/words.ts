import audit from '@/lib/i18n/es/audit.json'

const ACTIONS = Object.entries(audit.actions).flatMap(([kind, words]) =>
  Object.keys(words).map((word) => `${kind}.${word}`),
)

/**
 * A statement by which a test's database refuses an action of the audit log that has no words for people. Every test that
 * leads to one notices; texts.test.ts compares the two languages.
 */
export const ONLY_WITH_WORDS = `alter table public.audit_log drop constraint if exists action_has_words,
  add constraint action_has_words
    check (action !~ '^[a-z_]+[.][a-z_]+$' or action in ('${ACTIONS.join("', '")}')) not valid`
