import type { Break } from './break'

/** Twenty breaks of handlers, of what they call and of SQL functions: [name, file, find, replace, the test file that must find it]. */
const SLIPS: readonly [
  name: string,
  file: string,
  find: string,
  replace: string,
  test: string,
  names?: string,
][] = [
  [
    'campaigns: no permission is asked for',
    'lib/campaigns/operations.ts',
    "const usual = { tag: 'Campaigns', auth: 'session', permission: 'canAccessMarketing' } as const",
    "const usual = { tag: 'Campaigns', auth: 'session' } as const",
    'unit/openapi',
  ],
  [
    'brands: the list needs no session',
    'lib/brands/operations.ts',
    "tag,\n      auth: 'session',\n      machines: true,\n      query: pageQuery,",
    "tag,\n      auth: 'none',\n      query: pageQuery,",
    'unit/openapi',
  ],
  [
    'what is not there is answered with 400',
    'lib/http/error-codes.ts',
    "NOT_FOUND: [404, 'Not found'],",
    "NOT_FOUND: [400, 'Not found'],",
    'api/locations',
  ],
  [
    'the last full page has a next page',
    'lib/http/cursor.ts',
    'const last = rows.length > limit ?',
    'const last = rows.length >= limit ?',
    'api/campaigns',
  ],
  [
    'points are rounded up',
    'supabase/logic/loyalty/standing.sql',
    'least(floor(coalesce(p.amount, 0) * rate.multiplier), 1000000000) as target',
    'least(ceil(coalesce(p.amount, 0) * rate.multiplier), 1000000000) as target',
    'api/loyalty-points',
  ],
  [
    'a service ends at six in the morning of London',
    'supabase/logic/reservations/service_day.sql',
    "as $$ select ((p_now at time zone p_timezone) - interval '6 hours')::date $$;",
    "as $$ select ((p_now at time zone 'Europe/London') - interval '6 hours')::date $$;",
    'api/visits',
  ],
  [
    'quiet hours end when they begin',
    'supabase/logic/messages/verdict.sql',
    'or p_from > p_until and v_clock < p_until then (v_local',
    'or p_from > p_until and v_clock >= p_until then (v_local',
    'api/quiet-hours',
  ],
  [
    'what is only planned does not count against the frequency cap',
    'supabase/logic/messages/verdict.sql',
    "else m.status in ('queued', 'sending', 'sent', 'delivered', 'unknown') end",
    "else m.status in ('sending', 'sent', 'delivered', 'unknown') end",
    'api/outbox',
  ],
  [
    'an opt-out since planning does not stop a message',
    'supabase/logic/messages/claim.sql',
    'private.blocked_by(p_organization, m.kind, ask.channel',
    "private.blocked_by(p_organization, 'transactional', ask.channel",
    'api/outbox',
  ],
  [
    'the birthday of last year counts for this year',
    'supabase/logic/automations/audience.sql',
    "p.key := format('%L || c.id || '':'' || b.year', 'birthday:' || a.id || ':');",
    "p.key := format('%L || c.id', 'birthday:' || a.id || ':');",
    'api/audience',
  ],
  [
    'a merge drops the notes of the other guest',
    'supabase/logic/customers/merges.sql',
    "c.notes := left(p_kept.notes || E'\\n' || p_gone.notes, 20000);",
    'c.notes := left(p_kept.notes, 20000);',
    'api/customers-merge',
  ],
  [
    'the import reads birthdays month first',
    'lib/imports/parse-row.ts',
    'const [, day, month, year] = DAY_FIRST.exec(text) ?? []',
    'const [, month, day, year] = DAY_FIRST.exec(text) ?? []',
    'api/import-csv',
  ],
  [
    'a no-show of the PMS is a cancellation',
    'lib/pms/parse-row.ts',
    "'-3': 'no_show',",
    "'-3': 'cancelled',",
    'unit/parse-row',
  ],
  [
    'forgotten passwords have no limit',
    'app/api/auth/forgot-password/route.ts',
    "  attempts: ({ request, body }) => anonymousAttempts('forgot-password', request, body.email),\n",
    '',
    'api/rate-limits',
  ],
  [
    'the PMS may take for ever',
    'lib/pms/client.ts',
    'signal: AbortSignal.any([timeout, connection.signal]),',
    'signal: connection.signal,',
    'api/sync-faults',
    // The others would wait for ever, too.
    'hangs',
  ],
  [
    'other sites may make a browser send changes',
    'lib/routes/define-route.ts',
    'if (changes && options.auth !==',
    "if (changes && options.auth === 'none' && options.auth !==",
    'security/cross-site',
  ],
  [
    'the key of the assistant is shown and logged',
    'lib/assistant/provider-error.ts',
    'new ProviderError(maskSecrets(ownMessage(error), key), error.status)',
    'new ProviderError(ownMessage(error), error.status)',
    'api/ai-chat-faults',
  ],
  [
    'a no-show counts as a visit',
    'supabase/schema/reservations.sql',
    "when status = 'seated' then true",
    "when status in ('seated', 'no_show') then true",
    'api/visits',
  ],
  [
    'the nightly job may lower a tier',
    'supabase/logic/loyalty/standing.sql',
    'where held.id is null or rule.rank > held.rank',
    'where held.id is null or rule.rank <> held.rank',
    'api/loyalty',
  ],
  [
    'anyone may report for Twilio',
    'lib/webhooks/twilio.ts',
    "accountSid === form.get('AccountSid') && twilio.validateRequest(authToken, signature, url, fields),",
    "accountSid === form.get('AccountSid') && authToken !== '' && url !== '' && fields !== null,",
    'api/webhooks',
  ],
]

/** What found some of them before, where it is something else: rows of the contract, which are written one by one. */
const BEFORE: Readonly<Record<string, string>> = {
  'campaigns: no permission is asked for':
    'GET /api/campaigns as .* refuses a role without canAccessMarketing',
  'brands: the list needs no session': 'GET /api/brands as visitor refuses a caller without a session',
}

export const codeBreaks: readonly Break[] = SLIPS.map(([name, file, find, replace, test, tests]) => ({
  name,
  kind: 'code',
  file,
  find,
  replace,
  noticedBy: { files: [`tests/${test}.test.ts`], ...(tests ? { tests } : {}) },
  ...(BEFORE[name]
    ? { noticedByBefore: { files: ['tests/contract/contract.test.ts'], tests: BEFORE[name] } }
    : {}),
}))
