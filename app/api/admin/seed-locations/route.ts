import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { organizationPaths } from '@/lib/organization/operations'
import { seedForAdmin } from '@/lib/organization/seed-for-admin'

export const GET = defineRoute({
  ...organizationPaths['/api/admin/seed-locations'].get,
  handler: ({ session }) => seedForAdmin(session),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  organizationPaths['/api/admin/seed-locations'],
)
