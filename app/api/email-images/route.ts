import { listImages } from '@/lib/email-design/images'
import { emailDesignPaths } from '@/lib/email-design/operations'
import { uploadImage } from '@/lib/email-design/upload-image'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...emailDesignPaths['/api/email-images'].get,
  handler: ({ session, query }) => listImages(session, query),
})

export const POST = defineRoute({
  ...emailDesignPaths['/api/email-images'].post,
  handler: async ({ request, session }) =>
    Response.json({ data: await uploadImage(request, session) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(emailDesignPaths['/api/email-images'])
