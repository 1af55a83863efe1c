import { emailDesignPaths } from '@/lib/email-design/operations'
import { changeTemplate, deleteTemplate } from '@/lib/email-design/templates'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const PATCH = defineRoute({
  ...emailDesignPaths['/api/email-templates/{id}'].patch,
  handler: async ({ session, params, body }) => ({ data: await changeTemplate(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...emailDesignPaths['/api/email-templates/{id}'].delete,
  handler: async ({ session, params }) => {
    await deleteTemplate(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, OPTIONS } = otherMethods(emailDesignPaths['/api/email-templates/{id}'])
