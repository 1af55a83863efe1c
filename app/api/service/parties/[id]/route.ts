import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { partyLines } from '@/lib/service/party-lines'
import { partyLinesPaths } from '@/lib/service/party-lines-operations'

const operations = partyLinesPaths['/api/service/parties/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await partyLines(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(operations)
