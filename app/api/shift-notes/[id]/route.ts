import { changeShiftNote, removeShiftNote } from '@/lib/morning/notes'
import { morningPaths } from '@/lib/morning/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = morningPaths['/api/shift-notes/{id}']

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({
    data: await changeShiftNote(session, params.id, body.body),
  }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params }) => {
    await removeShiftNote(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, OPTIONS } = otherMethods(morningPaths['/api/shift-notes/{id}'])
