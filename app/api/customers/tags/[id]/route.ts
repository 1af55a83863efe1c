import { customerPaths } from '@/lib/customers/operations'
import { undoTagChange } from '@/lib/customers/tag-customers'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const DELETE = defineRoute({
  ...customerPaths['/api/customers/tags/{id}'].delete,
  handler: ({ session, params }) => undoTagChange(session, params.id),
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(
  customerPaths['/api/customers/tags/{id}'],
)
