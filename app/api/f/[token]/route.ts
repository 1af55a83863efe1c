import { surveyPaths } from '@/lib/feedback/operations'
import { postSurvey, surveyAttempts } from '@/lib/feedback/survey'
import { formRoute } from '@/lib/guests/form-route'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = formRoute(
  'f',
  defineRoute({
    ...surveyPaths['/api/f/{token}'].post,
    attempts: ({ request, params }) => surveyAttempts(request, params.token),
    handler: ({ request, params }) => postSurvey(request, params.token),
  }),
)

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(surveyPaths['/api/f/{token}'])
