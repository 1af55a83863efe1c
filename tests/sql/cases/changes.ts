import type { Cast, Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'

const SETTINGS: Who[] = ['super_admin', 'admin', 'boundAdmin']
const BOUND: Who[] = ['boundOperaciones', 'boundAdmin']
const WITH_GUESTS: Who[] = ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', ...BOUND]
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion', 'sala', 'fired']
const STRANGER: Who[] = ['stranger']

/** The customer of Norte that the next call may use up; rls-changes.test.ts makes enough of them. */
export const SPARES = 40
let used = 0
const spare = ({ ids }: Cast) => ids[`spare ${used++ % SPARES}`]
const outcome = (answer: unknown) => (answer as { outcome: string }).outcome

/** What was done to what belongs to a location, or to all of them; tests/sql/rls-changes.test.ts has the lines. */
const LINES = {
  Retiro: ['reservation', 'message', 'automation', 'location', 'loyalty_rules', 'ticket'].map(
    (type) => `Norte / ${type}.of_Retiro`,
  ),
  Sol: ['reservation', 'message', 'automation', 'location', 'loyalty_rules', 'ticket'].map(
    (type) => `Norte / ${type}.of_Sol`,
  ),
  Norte: ['Norte / organization.changed'],
}

export const changeTables: Record<string, TableCase> = {
  audit_log: {
    keys: ['organization_id', 'action'],
    reads: reads(
      [SETTINGS, ['Norte / customer.created', ...LINES.Retiro, ...LINES.Sol, ...LINES.Norte]],
      [['boundAdmin'], ['Norte / customer.created', ...LINES.Retiro]],
      [STRANGER, ['Sur / customer.created']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      action: 'customer.erased',
      subject_type: 'customer',
      subject_id: ids[home],
    }),
    change: () => ({ details: { robada: true } }),
    appendOnly: true,
  },
  customer_pairs: {
    keys: ['author_name'],
    reads: reads([WITH_GUESTS, ['de Norte']], [STRANGER, ['de Sur']]),
    insert: ({ ids }, home) => {
      const [first_id, second_id] = [ids[`${home} guest`], ids[`${home} regular`]].sort()
      return { organization_id: ids[home], first_id, second_id, verdict: 'different', author_name: 'Nadie' }
    },
    change: () => ({ author_name: 'Robada' }),
  },
  customer_merges: {
    keys: ['author_name'],
    reads: reads([WITH_GUESTS, ['de Norte']], [STRANGER, ['de Sur']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      kept_id: ids[`${home} guest`],
      gone_id: ids[home],
      author_name: 'Nadie',
      merged_at: '2026-11-20T10:00:00Z',
    }),
    change: () => ({ author_name: 'Robada' }),
  },
  identity_pairs: {
    keys: ['organization_id', 'probability'],
    reads: reads([WITH_GUESTS, ['Norte / 0.75', 'Norte / 0.875']], [STRANGER, ['Sur / 0.75', 'Sur / 0.875']]),
    insert: ({ ids }, home) => {
      const [first_id, second_id] = [ids[`${home} guest`], ids[`${home} regular`]].sort()
      return { organization_id: ids[home], first_id, second_id, probability: 0.9, reasons: {} }
    },
    change: () => ({ probability: 1 }),
  },
  identity_weights: {
    keys: ['organization_id', 'label'],
    reads: reads([SETTINGS, ['Norte / exact']], [STRANGER, ['Sur / exact']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      field: 'phone',
      level: 1,
      label: 'different',
      m: 0.1,
      u: 0.9,
    }),
    change: () => ({ m: 1 }),
  },
  // One row a group: Norte's is left for the service to insert.
  identity_settings: {
    keys: ['organization_id', 'likely'],
    reads: reads([STRANGER, ['Sur / 0.75']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], likely: 0.9 }),
    change: () => ({ likely: 0.5 }),
  },
  customer_aliases: {
    keys: ['organization_id', 'email'],
    reads: reads([WITH_GUESTS, ['Norte / antes@norte.example']], [STRANGER, ['Sur / antes@sur.example']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      customer_id: ids[`${home} guest`],
      email: 'nueva@example.com',
    }),
    change: () => ({ created_at: '2020-01-01T00:00:00Z' }),
  },
}

// Each call is about a customer or reservation of Norte: everyone else must find nothing.
export const changeFunctions: Record<string, FunctionCase> = {
  score_customers: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_limit: 1 }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  learn_identity_weights: {
    body: ({ ids }) => ({ p_organization: ids.Norte }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  save_customer: {
    body: (cast) => ({ p_id: spare(cast), p_fields: { company: 'Robada' } }),
    shape: outcome,
    answers: answers('saved', [IN_THE_DARK, 'forbidden'], [STRANGER, 'not_found']),
  },
  erase_customer: {
    body: (cast) => ({ p_id: spare(cast) }),
    shape: (answer) => answer,
    answers: answers('erased', [IN_THE_DARK, 'not_found'], [STRANGER, 'not_found']),
  },
  merge_customers: {
    body: (cast) => ({ p_id: cast.ids['Norte guest'], p_duplicate_id: spare(cast) }),
    shape: outcome,
    answers: answers('merged', [IN_THE_DARK, 'not_found'], [STRANGER, 'not_found']),
  },
  // One that is undone already, so that nothing changes.
  undo_merge: {
    body: ({ ids }) => ({ p_id: ids['Norte merge'] }),
    shape: outcome,
    answers: answers('already_undone', [IN_THE_DARK, 'not_found'], [STRANGER, 'not_found']),
  },
  // The calls of merge_customers above leave theirs.
  list_merges: {
    body: ({ ids }) => ({ p_customer: ids['Norte guest'] }),
    shape: (answer) =>
      (answer as { author_name: string }[])
        .map(({ author_name }) => author_name)
        .filter((name) => name.startsWith('de ')),
    answers: answers<unknown>(['de Norte'], [IN_THE_DARK, []], [STRANGER, []]),
  },
  export_customer: {
    body: ({ ids }) => ({ p_id: ids['Norte guest'] }),
    shape: (answer) =>
      (answer as { reservations: { location: string }[] } | null)?.reservations.map(
        ({ location }) => location,
      ),
    answers: answers<unknown>(
      undefined,
      [
        ['super_admin', 'admin', 'ceo'],
        ['Retiro', 'Sol'],
      ],
      [['boundAdmin'], ['Retiro']],
    ),
  },
  customer_duplicates: {
    body: () => ({}),
    shape: (answer) =>
      (answer as { groups: { customers: { phone: string }[] }[] }).groups.map(
        ({ customers }) => customers[0]?.phone,
      ),
    answers: answers<unknown>(['+34600000001'], [IN_THE_DARK, []], [STRANGER, ['+34600000002']]),
  },
  customer_matches: {
    body: () => ({ p_person: { first_name: 'Guest', phone: '+34600000001' } }),
    shape: (answer) => (answer as { phone: string }[]).map(({ phone }) => phone),
    answers: answers<unknown>(['… 001', '… 001'], [IN_THE_DARK, []], [STRANGER, ['… 002', '… 002']]),
  },
  count_duplicates: {
    body: () => ({ p_above: 0, p_certain: false }),
    shape: (answer) => (answer as { pairs: number }).pairs,
    answers: answers<unknown>(1, [IN_THE_DARK, 0], [STRANGER, 1]),
  },
  // Nobody is certain, so that nothing changes.
  merge_duplicates: {
    body: () => ({ p_above: 0.9, p_certain: true }),
    shape: (answer) => (answer as { merged: number }).merged,
    answers: answers<unknown>(0),
  },
  read_identity: {
    body: () => ({}),
    shape: (answer) => (answer as { likely: number } | null)?.likely,
    answers: answers<unknown>(undefined, [SETTINGS, 0.5], [STRANGER, 0.75]),
  },
  // Refused in everybody's group: nothing changes.
  change_identity: {
    body: () => ({ p_changes: { likely: 0.99, certain: 0.95 } }),
    shape: (answer) => answer,
    answers: answers<unknown>('forbidden', [['super_admin', 'admin'], 'order'], [STRANGER, 'order']),
  },
  // What is not said anyway, so that nothing changes.
  judge_duplicates: {
    body: ({ ids }) => ({ p_id: ids['Norte regular'], p_others: [ids['Norte guest']], p_different: false }),
    shape: (answer) => answer,
    answers: answers<unknown>('saved', [IN_THE_DARK, 'not_found'], [STRANGER, 'not_found']),
  },
  list_pairs: {
    body: () => ({}),
    shape: (answer) => (answer as { author_name: string }[]).map(({ author_name }) => author_name),
    answers: answers<unknown>(['de Norte'], [IN_THE_DARK, []], [STRANGER, ['de Sur']]),
  },
  // Each kind for its readers: reservations by location, changes of the record for settings staff.
  customer_timeline: {
    body: ({ ids }) => ({ p_customer: ids['Norte guest'], p_kinds: ['reservation', 'change'] }),
    shape: (answer) =>
      (answer as { kind: string; details: { location?: string; action?: string } }[])
        .map(({ details }) => details.location ?? details.action)
        .filter((name) => name !== 'customer.merged' && name !== 'customer.exported')
        .sort(),
    answers: answers<unknown>(
      [],
      [
        ['ceo', 'marketing', 'operaciones'],
        ['Retiro', 'Sol'],
      ],
      [['boundOperaciones', 'sala'], ['Retiro']],
      [
        ['super_admin', 'admin'],
        ['Retiro', 'Sol', 'customer.created'],
      ],
      [['boundAdmin'], ['Retiro', 'customer.created']],
    ),
  },
  customer_belongings: {
    body: ({ ids }) => ({ p_ids: [ids['Norte guest'], ids['Sur guest']] }),
    // Of the caller's locations, as the tables show them.
    shape: (answer, { ids }) =>
      (answer as { customer_id: string; reservations: number }[]).map(
        ({ customer_id, reservations }) =>
          `${Object.keys(ids).find((name) => ids[name] === customer_id)}: ${reservations}`,
      ),
    answers: answers<unknown>(
      ['Norte guest: 2'],
      [IN_THE_DARK, []],
      [['boundAdmin', 'boundOperaciones'], ['Norte guest: 1']],
      [STRANGER, ['Sur guest: 0']],
    ),
  },
  customer_tags: {
    body: () => ({}),
    shape: (answer) => answer,
    answers: answers<unknown>(
      [{ tag: 'de Norte', customers: 1 }],
      [IN_THE_DARK, []],
      [STRANGER, [{ tag: 'de Sur', customers: 1 }]],
    ),
  },
  customer_cities: {
    body: () => ({ p_begins: 'villa' }),
    shape: (answer) => answer,
    answers: answers<unknown>(
      [{ city: 'Villa Norte' }],
      [IN_THE_DARK, []],
      [STRANGER, [{ city: 'Villa Sur' }]],
    ),
  },
  count_customers: {
    body: () => ({ p_filters: { tag: 'de Norte' } }),
    shape: (answer) => answer,
    answers: answers<unknown>(1, [IN_THE_DARK, 0], [STRANGER, 0]),
  },
  // A tag that the customer has, so that nothing changes.
  tag_customers: {
    body: ({ ids }) => ({ p_added: true, p_tag: 'de Norte', p_filters: { ids: [ids['Norte guest']] } }),
    shape: outcome,
    answers: answers('saved', [IN_THE_DARK, 'forbidden']),
  },
  // Only rls-changes.test.ts makes a change to take back.
  undo_tag_change: {
    body: ({ ids }) => ({ p_id: ids['Norte guest'] }),
    shape: (answer) => answer,
    answers: answers<unknown>(false),
  },
  end_export: {
    body: ({ ids }) => ({ p_export: ids.Norte, p_rows: 1 }),
    shape: (answer) => answer,
    answers: answers<unknown>(false),
  },
  log_action: {
    body: () => ({ p_action: 'audit_log.exported' }),
    shape: (answer) => answer,
    answers: answers<unknown>(false, [[...SETTINGS, ...STRANGER], true]),
  },
  // Of one kind that this file writes: what the calls above leave is no matter here.
  list_audit_log: {
    body: () => ({ p_filters: { kind: 'message' } }),
    shape: (answer) => (answer as { action: string }[]).map(({ action }) => action).sort(),
    answers: answers<unknown>(
      [],
      [
        ['super_admin', 'admin'],
        ['message.of_Retiro', 'message.of_Sol'],
      ],
      [['boundAdmin'], ['message.of_Retiro']],
    ),
  },
  log_customers_export: {
    body: () => ({ p_filters: { tag: 'prensa' } }),
    shape: (answer) => answer !== null,
    answers: answers<unknown>(true, [IN_THE_DARK, false]),
  },
  log_reservations_export: {
    body: () => ({ p_filters: { date: '2026-11-20' } }),
    shape: (answer) => answer !== null,
    answers: answers<unknown>(true, [IN_THE_DARK, false]),
  },
  save_reservation: {
    body: ({ ids }) => ({ p_id: ids['booking in Sol'], p_fields: { notes: 'Robada' } }),
    shape: outcome,
    answers: answers(
      'saved',
      [BOUND, 'not_found'],
      [IN_THE_DARK, 'forbidden'],
      [['sala', ...STRANGER], 'not_found'],
    ),
  },
  // What save_reservation has just logged, for those who work in Sol.
  reservation_activity: {
    body: ({ ids }) => ({ p_reservation: ids['booking in Sol'] }),
    shape: (answer) => (answer as { action: string }[]).map(({ action }) => action),
    answers: answers<unknown>(['reservation.changed'], [[...BOUND, ...IN_THE_DARK, ...STRANGER], []]),
  },
}
