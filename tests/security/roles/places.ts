import type { Stack } from '../../support/stack'

/** Ids of a place's rows by table. */
type Rows = Record<string, string>

/** A place full of rows, all of whose texts say `mark`. */
export interface Place {
  mark: string
  organization: string
  location: string
  rows: Rows
}

/** Rows of a location: what an `insert` gives besides the organization; `$` names an earlier row of the place. */
const OF_LOCATION: [table: string, row: Record<string, unknown>][] = [
  [
    'reservations',
    {
      location_id: '$locations',
      customer_id: '$customers',
      reservation_date: new Date().toISOString().slice(0, 10),
      reservation_time: '21:00',
      party_size: 2,
      status: 'confirmed',
    },
  ],
  [
    'automations',
    {
      ...{ name: '-', type: 'vip_reward', channel: 'email', status: 'active', criteria: { min_tier: 'Oro' } },
      location_ids: ['$locations'],
    },
  ],
  [
    'automation_runs',
    {
      automation_id: '$automations',
      automation_name: '-',
      triggered_by: 'manual',
      status: 'paused',
      location_ids: ['$locations'],
    },
  ],
  [
    'messages',
    {
      kind: 'marketing',
      purpose: 'birthday',
      automation_id: '$automations',
      run_id: '$automation_runs',
      customer_id: '$customers',
      location_id: '$locations',
      channel: 'email',
      status: 'unknown',
      dedupe_key: '-',
      content: { subject: '$mark', body: '$mark' },
    },
  ],
  [
    'campaigns',
    {
      name: '-',
      segment_id: '$segments',
      location_ids: ['$locations'],
      created_by_name: '-',
      starts_local: '2190-01-01T12:00',
    },
  ],
  ['shifts', { location_id: '$locations', name: '-', weekdays: [7], opens: '13:00', closes: '16:00' }],
  ['closed_days', { location_id: '$locations', day: '2190-01-01', name: '-' }],
  ['shift_notes', { location_id: '$locations', day: '2026-11-20', body: '-', author_name: '-' }],
  ['waitlist', { location_id: '$locations', name: '-', party_size: 2 }],
  ['tickets', { subject: '-', location_id: '$locations', customer_id: '$customers' }],
  [
    'calendar_events',
    {
      title: '-',
      event_datetime: new Date().toISOString(),
      location_id: '$locations',
      customer_id: '$customers',
    },
  ],
  [
    'import_runs',
    {
      file_name: '-',
      location_id: '$locations',
      status: 'running',
      failed_rows: { columns: ['name', 'reason'], rows: [['$mark', 'email']] },
      failed_row_count: 1,
    },
  ],
  [
    'loyalty_points',
    {
      customer_id: '$customers',
      reservation_id: '$reservations',
      kind: 'earned',
      points: 7,
      multiplier: 1,
      amount: 7,
    },
  ],
  [
    'feedback',
    {
      location_id: '$locations',
      customer_id: '$customers',
      reservation_id: '$reservations',
      score: 2,
      words: '-',
      language: 'es',
      answered_at: new Date().toISOString(),
    },
  ],
  [
    'job_runs',
    {
      job: 'sync',
      status: 'partial',
      result: {
        locations: [{ id: '$locations', name: '$mark', count: 0, created: 0, updated: 0, failed: false }],
        issues: [
          { location_id: '$locations', location: '$mark', code: 'http', reservation: null, detail: '$mark' },
        ],
      },
    },
  ],
]

/** Rows of the organization: its people know them in every location. */
const OF_GROUP: [table: string, row: Record<string, unknown>][] = [
  ['customers', { location_id: '$locations' }],
  [
    'customer_merges',
    {
      kept_id: '$customers',
      gone_id: '00000000-0000-4000-8000-000000000000',
      author_name: '-',
      merged_at: '2026-11-20T10:00:00Z',
      undone_at: '2026-11-20T11:00:00Z',
      undone_by: '-',
    },
  ],
  [
    'conversations',
    {
      ...{ customer_id: '$customers', channel: 'sms', address: '-', unread: 1 },
      ...{ last_message_at: '2026-11-20T10:00:00Z', last_inbound_at: '2026-11-20T10:00:00Z' },
    },
  ],
  [
    'conversation_messages',
    {
      ...{ conversation_id: '$conversations', direction: 'in', text: '-', provider_id: '-' },
      at: '2026-11-20T10:00:00Z',
    },
  ],
  ['brands', { name: '-', slug: '-' }],
  [
    'email_images',
    {
      path: '$organization/$location.png',
      ...{ name: '-', content_type: 'image/png', bytes: 1, width: 1, height: 1 },
    },
  ],
  ['email_templates', { name: '-', design: { blocks: [] } }],
  ['segments', { name: '-', shared: true, definition: { field: 'visits', min: 0 } }],
  ['invitations', { email: 'x@mark.example', role: 'rrhh' }],
]

/**
 * Fills a location with rows that say `mark`, and its organization with rows that say `groupMark`. Without `idOf`, which
 * gives the id of a table's row, the database chooses them.
 */
export async function plant(
  stack: Stack,
  [organization, location]: [string, string],
  mark: string,
  groupMark: string,
  idOf?: (table: string) => string,
): Promise<Place> {
  const rows: Rows = { locations: location }
  const insert = async (table: string, row: Record<string, unknown>) => {
    const own = idOf && { id: idOf(table) }
    const text = JSON.stringify({ ...row, ...own, organization_id: organization })
      .replaceAll('$mark', mark)
      .replace('$organization/$location', `${organization}/${location}`)
      .replaceAll(/"\$(\w+)"/g, (_, name) => JSON.stringify(rows[name] ?? ''))
      .replaceAll('x@mark', `${location}@mark`)
      .replaceAll('"-"', JSON.stringify(`- ${location}`))
    const columns = Object.keys(JSON.parse(text)).join(', ')
    const [made] = await stack.sql<{ id: string }>(
      `insert into public.${table} (${columns})
       select ${columns} from jsonb_populate_record(null::public.${table}, $1::jsonb) returning id::text`,
      [text],
    )
    rows[table] = made?.id ?? ''
  }
  for (const [table, row] of [...OF_GROUP, ...OF_LOCATION]) await insert(table, row)
  const [comment] = await stack.sql<{ id: string }>(
    `insert into public.ticket_comments (id, ticket_id, author_name, body)
     values (coalesce($2::uuid, gen_random_uuid()), $1, '-', '-') returning id::text`,
    [rows.tickets, idOf?.('ticket_comments') ?? null],
  )
  rows.ticket_comments = comment?.id ?? ''
  const [changed] = await stack.sql<{ id: string }>(
    `insert into public.ticket_changes (id, ticket_id, field, before)
     values (coalesce($2::uuid, gen_random_uuid()), $1, 'subject', '-') returning id::text`,
    [rows.tickets, idOf?.('ticket_changes') ?? null],
  )
  rows.ticket_changes = changed?.id ?? ''
  await stack.sql(
    `insert into public.audit_log (organization_id, action, subject_type, subject_id)
     select $1, 'reservation.changed', 'reservation', $2::uuid`,
    [organization, rows.reservations],
  )
  const group = OF_GROUP.map(([table]) => table)
  for (const [table, id] of Object.entries(rows)) {
    // A run of a job is the organization's; its result is about locations.
    if (table === 'job_runs') continue
    await writeTexts(stack, table, id, group.includes(table) ? groupMark : mark)
  }
  return { mark, organization, location, rows }
}

/** A device, its session and a change of a tag, all one person's own, by the collection in their paths. */
export async function personalOf(
  stack: Stack,
  organization: string,
  person: string,
): Promise<Record<string, string>> {
  const [device] = await stack.sql<{ id: string; session: string }>(
    'select id::text, session_id::text as session from public.push_subscriptions where profile_id = $1',
    [person],
  )
  const [change] = await stack.sql<{ id: string }>(
    `insert into private.tag_changes (organization_id, author_id, tag, added, customer_ids)
     values ($1, $2, '-', true, array[gen_random_uuid()]) returning id::text`,
    [organization, person],
  )
  if (!device || !change) throw new Error('The colleague has nothing of their own')
  return { push: device.id, sessions: device.session, tags: change.id }
}

/** Puts the mark into every text of a row that takes it: a column with a fixed list of values keeps its own. */
async function writeTexts(stack: Stack, table: string, id: string, mark: string): Promise<void> {
  await stack.sql(`
    do $$
    declare c record;
    begin
      for c in select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = '${table}' and data_type = 'text' and is_generated = 'NEVER'
      loop
        begin
          execute format('update public.${table} set %I = %L where id = %L', c.name,
            '${mark} ' || c.name || ' ' || left('${id}', 8), '${id}');
        exception when others then null;
        end;
      end loop;
    end $$`)
}

/** The ids of the place's rows as they stand in the database, in one hash: what must not change. */
export async function hashOf(stack: Stack, { rows }: Place): Promise<string> {
  const parts = Object.entries(rows).map(
    ([table, id]) =>
      `select '${table}' as name, to_jsonb(t)::text as row from public.${table} t where id = '${id}'`,
  )
  const [found] = await stack.sql<{ hash: string }>(
    `select md5(string_agg(name || row, ' ' order by name)) as hash from (${parts.join(' union all ')}) as all_rows`,
  )
  return found?.hash ?? ''
}

/** Every row of every table of public but the counters of requests, in one hash. */
export async function hashOfAll(stack: Stack): Promise<string> {
  const tables = await stack.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('rate_limits', 'attempt_limits') order by 1`,
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, ' ' order by t::text)) as hash from public.${name} t`,
  )
  const found = await stack.sql<{ name: string; hash: string }>(parts.join(' union all '))
  return found.map(({ name, hash }) => `${name} ${hash}`).join('\n')
}
