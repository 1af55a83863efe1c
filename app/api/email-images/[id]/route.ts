import { deleteImage } from '@/lib/email-design/images'
import { emailDesignPaths } from '@/lib/email-design/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const DELETE = defineRoute({
  ...emailDesignPaths['/api/email-images/{id}'].delete,
  handler: async ({ session, params }) => {
    await deleteImage(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(
  emailDesignPaths['/api/email-images/{id}'],
)
