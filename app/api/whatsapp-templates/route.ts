import { messagePaths } from '@/lib/messaging/operations'
import { listWhatsAppTemplates } from '@/lib/messaging/whatsapp-templates'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...messagePaths['/api/whatsapp-templates'].get,
  handler: async ({ session }) => ({ data: await listWhatsAppTemplates(session), next_cursor: null }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(messagePaths['/api/whatsapp-templates'])
