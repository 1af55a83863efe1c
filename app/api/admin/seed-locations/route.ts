import { organizationPaths } from '@/lib/organization/operations'
import { seedForAdmin } from '@/lib/organization/organization'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...organizationPaths['/api/admin/seed-locations'].get,
  handler: ({ session }) => seedForAdmin(session),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  organizationPaths['/api/admin/seed-locations'],
)
