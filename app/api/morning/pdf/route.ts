import { documentOf } from '@/lib/morning/document'
import { readMorning } from '@/lib/morning/morning'
import { morningPaths } from '@/lib/morning/operations'
import { morningPdfFile } from '@/lib/morning/pdf'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...morningPaths['/api/morning/pdf'].get,
  rateLimit: ({ session }) => `morning-pdf:${session.user_id}`,
  handler: async ({ session, query }) => {
    const now = new Date()
    const morning = await readMorning(session, query, { people: 40, now })
    const file = await morningPdfFile(documentOf(morning, query.language, now))
    return new Response(new Uint8Array(file), {
      headers: {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="morning-${morning.date}.pdf"`,
      },
    })
  },
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(morningPaths['/api/morning/pdf'])
