import { emailDesignPaths } from '@/lib/email-design/operations'
import { createTemplate, listTemplates } from '@/lib/email-design/templates'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...emailDesignPaths['/api/email-templates'].get,
  handler: async ({ session }) => ({ data: await listTemplates(session), next_cursor: null }),
})

export const POST = defineRoute({
  ...emailDesignPaths['/api/email-templates'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await createTemplate(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(emailDesignPaths['/api/email-templates'])
