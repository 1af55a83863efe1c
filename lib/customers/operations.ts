import { z } from 'zod'
import { SUBJECT_EXPORT_ROLES } from '@/lib/auth/permissions'
import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { duplicateGroupSchema } from './duplicates'
import { exampleCustomer, exampleExport } from './examples'
import { customerExportSchema } from './export-schema'
import { customerFields, customersExportQuery, customersQuery, mergeBody } from './fields'
import { customerSchema } from './schema'
import { customerTagSchema } from './tags'

const usual = { tag: 'Customers', auth: 'session', permission: 'canAccessClientes' } as const
const one = single(customerSchema)
const example = { data: exampleCustomer }
const taken = problem('The e-mail is another customer’s', 'A customer with this e-mail exists')
const conflict = problem(
  'The e-mail is another customer’s, or the address to opt in bounced or complained',
  'A customer with this e-mail exists',
)

export const customerPaths = definePaths({
  '/api/customers': {
    get: {
      ...usual,
      summary: 'The customers of the organization',
      query: customersQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(customerSchema),
          example: { data: [exampleCustomer], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Create a customer',
      description: 'With at least an e-mail, a phone or a name. `source` becomes `Manual`.',
      body: customerFields,
      bodyExample: { email: 'ana@correo.example', phone: '612 345 678', first_name: 'Ana', tags: ['prensa'] },
      responses: { 201: { description: 'Created', schema: one, example }, 409: taken },
    },
  },
  '/api/customers/export': {
    get: {
      ...usual,
      confirm: true,
      summary: 'The list of customers as a CSV download',
      description:
        'Every customer that the filters match, in chunks as they are read. Cells that a spreadsheet would run are escaped. Each export is logged, with the rows that went out.',
      rateLimited: 'hour',
      changes: true,
      query: customersExportQuery,
      responses: {
        200: {
          description: 'The download; its headers are among those that an import recognises',
          contentType: 'text/csv',
          headers: { 'Content-Disposition': 'attachment; filename="customers-<date>.csv"' },
        },
      },
    },
  },
  '/api/customers/tags': {
    get: {
      ...usual,
      summary: 'The tags in use, the most used first',
      description: 'At most 200; there is one page.',
      responses: {
        200: {
          description: 'Tags and how many customers have each',
          schema: page(customerTagSchema),
          example: { data: [{ tag: 'prensa', customers: 31 }], next_cursor: null },
        },
      },
    },
  },
  '/api/customers/{id}': {
    get: {
      ...usual,
      summary: 'A customer',
      params: idParams,
      responses: { 200: { description: 'The customer', schema: one, example }, 404: notFound },
    },
    patch: {
      ...usual,
      summary: 'Change a customer',
      description:
        'The fields given; null or a blank clears one. Statistics and tier follow from reservations. `consent` records a basis by channel, or opts the guest out or in, each with its reason.',
      params: idParams,
      body: customerFields,
      bodyExample: { notes: 'Alérgica a los frutos secos' },
      responses: { 200: { description: 'Changed', schema: one, example }, 404: notFound, 409: conflict },
    },
    delete: {
      ...usual,
      confirm: true,
      summary: 'Erase a customer (GDPR art. 17)',
      description:
        'Final at once. The customer is deleted; reservations and messages stay without personal data, tickets, comments, events, imports and logs without the person’s names, e-mails and phones. The PMS does not bring the person back with a booking that is already here. An opt-out stays with its address.',
      params: idParams,
      responses: { 204: { description: 'Erased' }, 404: notFound },
    },
  },
  '/api/customers/{id}/export': {
    get: {
      ...usual,
      confirm: true,
      summary: 'Everything held about a customer (GDPR art. 15 and 20), as a download',
      description:
        'With tickets, their comments and events. Someone bound to locations gets what happened in these. Each export is logged.',
      roles: SUBJECT_EXPORT_ROLES,
      rateLimited: 'hour',
      changes: true,
      params: idParams,
      responses: {
        200: {
          description: 'The download',
          headers: { 'Content-Disposition': 'attachment; filename="customer-<id>.json"' },
          schema: customerExportSchema,
          example: exampleExport,
        },
        404: notFound,
      },
    },
  },
  '/api/customers/{id}/merge': {
    post: {
      ...usual,
      summary: 'Merge a duplicate into a customer',
      description:
        'Reservations and messages move, tags and notes are united, blanks are filled, the higher tier is kept, and the duplicate is deleted. Addresses that lose still match later PMS bookings.',
      params: idParams,
      body: mergeBody,
      bodyExample: { duplicate_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', fields: ['phone'] },
      responses: { 200: { description: 'The customer they are now', schema: one, example }, 404: notFound },
    },
  },
  '/api/customers/duplicates': {
    get: {
      ...usual,
      summary: 'Customers who are likely one person',
      description:
        '`email`: the same mailbox, +suffixes (and dots at Gmail) aside. `name_and_birth_date`: both the same. `phone`: the same phone, and the same name or none.',
      query: pageQuery.extend({ cursor: z.string().max(12_000).optional() }),
      responses: {
        200: {
          description: 'A page of groups, ten customers at most in each',
          schema: page(duplicateGroupSchema),
          example: {
            data: [
              {
                reason: 'phone',
                customers: [
                  exampleCustomer,
                  { ...exampleCustomer, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', email: null },
                ],
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
  },
})
