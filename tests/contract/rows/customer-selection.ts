import { csvOfToday, type Row, UUID } from '../row'
import { afterwards, all } from './arrange'
import { about } from './cases'
import { existing, ID } from './customers'

const EXPORT = 'POST /api/customers/export'
const COUNT = 'GET /api/customers/count'
const TAG = 'POST /api/customers/tags'
const UNDO = 'DELETE /api/customers/tags/{id}'

const exportsForgotten = afterwards(
  `delete from public.audit_log where action in ('customers.exported', 'customers.export_ended')`,
)
const tagsForgotten = all(
  afterwards('delete from private.tag_changes'),
  afterwards(`delete from public.audit_log where action in ('customers.tagged', 'customers.untagged')`),
)
const row = (operation: string, name: string, rest: Omit<Row, 'name' | 'section' | 'as'>): Row => ({
  name,
  section: 'our own: customers',
  as: 'operaciones',
  ...rest,
  request: { ...rest.request, operation },
})

/** What is done with many customers at once. */
export const selectionRows: Row[] = [
  row(EXPORT, 'gives those chosen as a file', {
    request: { operation: EXPORT, body: { ids: [ID] } },
    arrange: all(existing, exportsForgotten),
    answers: {
      status: 200,
      headers: csvOfToday('customers'),
    },
  }),
  row(EXPORT, 'refuses a file of nobody', {
    request: { operation: EXPORT, body: { ids: [] } },
    answers: { status: 400, body: about('ids') },
  }),
  row(COUNT, 'counts the customers that match', {
    request: { operation: COUNT, query: '?tag=contrato' },
    arrange: existing,
    answers: { status: 200, body: { data: { customers: 1, more: false } } },
  }),
  row(COUNT, 'refuses an unknown segment', {
    request: { operation: COUNT, query: '?segment=all' },
    answers: { status: 400, body: about('segment') },
  }),
  row(TAG, 'adds a tag to those chosen', {
    request: { operation: TAG, body: { action: 'add', tag: 'nueva', ids: [ID] } },
    arrange: all(existing, tagsForgotten),
    answers: { status: 200, body: { data: { id: UUID, changed: 1, full: 0 } } },
  }),
  row(TAG, 'changes nothing where nobody has the tag', {
    request: { operation: TAG, body: { action: 'remove', tag: 'nadie', filters: { tag: 'contrato' } } },
    arrange: existing,
    answers: { status: 200, body: { data: { id: null, changed: 0, full: 0 } } },
  }),
  row(TAG, 'refuses a tag for nobody in particular', {
    request: { operation: TAG, body: { action: 'add', tag: 'nueva' } },
    answers: { status: 400, body: about('body') },
  }),
  row(TAG, 'refuses more than 5,000 customers', {
    request: { operation: TAG, body: { action: 'add', tag: 'nueva', filters: { tag: 'multitud' } } },
    arrange: async ({ stack, group }) => {
      await stack.sql(
        `insert into public.customers (organization_id, first_name, tags)
         select $1, 'x', array['multitud'] from generate_series(1, 5001)`,
        [group.id],
      )
      return () => stack.sql(`delete from public.customers where tags @> array['multitud']`)
    },
    answers: { status: 409, body: { error: 'More than 5,000 customers match: narrow the filters' } },
  }),
  row(UNDO, 'takes it back', {
    request: { operation: UNDO, id: ID },
    arrange: all(existing, tagsForgotten, async ({ stack, group, id }) => {
      await stack.sql(
        `insert into private.tag_changes (id, organization_id, author_id, tag, added, customer_ids)
         values ($1, $2, $3, 'contrato', true, array[$1::uuid])`,
        [ID, group.id, id('operaciones')],
      )
      return undefined
    }),
    answers: { status: 204 },
  }),
  row(UNDO, 'finds no change of that id', {
    request: { operation: UNDO, id: ID },
    answers: { status: 404, body: { error: 'Not found' } },
  }),
  row(UNDO, 'refuses a malformed id', {
    request: { operation: UNDO, id: 'x' },
    answers: { status: 400, body: about('id') },
  }),
]
