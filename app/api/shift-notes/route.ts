import { listShiftNotes, writeShiftNote } from '@/lib/morning/notes'
import { morningPaths } from '@/lib/morning/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = morningPaths['/api/shift-notes']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, query }) => ({
    data: await listShiftNotes(session, { locationId: query.location_id, day: query.day }),
  }),
})

export const POST = defineRoute({
  ...operations.post,
  handler: async ({ session, body }) =>
    Response.json({ data: await writeShiftNote(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(morningPaths['/api/shift-notes'])
