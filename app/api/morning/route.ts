import { readMorning } from '@/lib/morning/morning'
import { morningPaths } from '@/lib/morning/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...morningPaths['/api/morning'].get,
  handler: async ({ session, query }) => ({ data: await readMorning(session, query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(morningPaths['/api/morning'])
