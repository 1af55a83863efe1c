import { undoMerge } from '@/lib/customers/merges'
import { mergePaths } from '@/lib/customers/merges-schema'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...mergePaths['/api/customer-merges/{id}/undo'].post,
  handler: async ({ session, params }) => ({ data: await undoMerge(session, params.id) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  mergePaths['/api/customer-merges/{id}/undo'],
)
