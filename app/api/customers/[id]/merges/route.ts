import { listMerges } from '@/lib/customers/merges'
import { mergePaths } from '@/lib/customers/merges-schema'
import { readCustomer } from '@/lib/customers/read-customer'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...mergePaths['/api/customers/{id}/merges'].get,
  handler: async ({ session, params }) => {
    await readCustomer(session, params.id)
    return { data: await listMerges(session, params.id), next_cursor: null }
  },
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(mergePaths['/api/customers/{id}/merges'])
