import { ISO, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { existing, ID, shown, TWIN } from './customers'

const LIST = 'GET /api/customers/{id}/merges'
const UNDO = 'POST /api/customer-merges/{id}/undo'
const EARLIER = 'd0000000-0000-4000-8000-0000000000a1'
const LATER = 'd0000000-0000-4000-8000-0000000000a2'

const mergeOf = (id: string, merged_at: string, changes: object = {}) =>
  given('customer_merges', () => ({
    ...{ id, kept_id: ID, gone_id: TWIN, author_name: 'Lucía Prieto', merged_at },
    ...changes,
  }))
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const own = all(existing, mergeOf(EARLIER, ago(2)))
/** What is kept of both, as a merge leaves it. */
const kept = all(
  afterwards(`delete from public.audit_log where action = 'customer.merge_undone'`),
  afterwards(`delete from public.customers where id = '${TWIN}'`),
  own,
  async ({ stack }) => {
    await stack.sql(
      `insert into private.merged_customers (merge_id, gone, kept_before, kept_after)
       select $1, to_jsonb(c) || jsonb_build_object('id', $2::text, 'email', 'ana2@contrato.example'), to_jsonb(c), to_jsonb(c)
       from public.customers c where c.id = $3`,
      [EARLIER, TWIN, ID],
    )
    return undefined
  },
)

/** Merges that can be undone. */
export const mergeRows: Row[] = [
  {
    name: 'lists the merges into a customer',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: LIST, id: ID },
    arrange: kept,
    answers: {
      status: 200,
      body: {
        data: [
          {
            ...{ id: EARLIER, merged_at: ISO, author_name: TEXT, undone_at: null, undone_by: null },
            ...{ obstacle: null, later_id: null, customer: { id: TWIN, name: 'Ana Ruiz' } },
            moved: { reservations: 0, messages: 0, tickets: 0, calendar_events: 0 },
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'undoes a merge',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: UNDO, id: EARLIER },
    arrange: kept,
    answers: {
      status: 200,
      body: {
        data: {
          kept: shown(ID),
          restored: shown(TWIN, { email: 'ana2@contrato.example' }),
          not_restored: { kept: [], restored: [] },
        },
      },
    },
  },
  {
    name: 'undoes no merge twice',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: UNDO, id: EARLIER },
    arrange: all(existing, mergeOf(EARLIER, ago(2), { undone_at: ago(1), undone_by: 'Lucía Prieto' })),
    answers: { status: 409, body: { error: 'The merge was undone already' } },
  },
  {
    name: 'undoes no merge after 30 days',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: UNDO, id: EARLIER },
    arrange: all(existing, mergeOf(EARLIER, ago(31))),
    answers: { status: 409, body: { error: 'Merges can be undone for 30 days' } },
  },
  {
    name: 'undoes the later merge first, and says which it is',
    section: 'our own: customers',
    as: 'operaciones',
    request: { operation: UNDO, id: EARLIER },
    arrange: all(own, mergeOf(LATER, ago(1), { gone_id: LATER })),
    answers: {
      status: 409,
      body: {
        error: 'The customer was merged again since: undo that first',
        code: 'MERGED_SINCE',
        later_id: UUID,
      },
    },
  },
]
