import { customerPaths } from '@/lib/customers/operations'
import { readCustomer } from '@/lib/customers/read-customer'
import { eraseCustomer, saveCustomer } from '@/lib/customers/save-customer'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...customerPaths['/api/customers/{id}'].get,
  handler: async ({ session, params }) => ({ data: await readCustomer(session, params.id) }),
})

export const PATCH = defineRoute({
  ...customerPaths['/api/customers/{id}'].patch,
  handler: async ({ session, params, body }) => ({ data: await saveCustomer(session, body, params.id) }),
})

export const DELETE = defineRoute({
  ...customerPaths['/api/customers/{id}'].delete,
  handler: ({ session, params }) => eraseCustomer(session, params.id),
})

export const { POST, PUT, OPTIONS } = otherMethods(customerPaths['/api/customers/{id}'])
