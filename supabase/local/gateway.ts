import type { LocalKeys } from './keys'

type Fetch = (request: Request, peerAddress: string | null) => Promise<Response>

const ACCOUNTS = '/auth/v1/admin/users'
// Auth's admin API (but for new accounts), and second factors.
const ABSENT = /^\/auth\/v1\/(admin|factors)(\/|$)/

/**
 * Answers for `@supabase/lite` where hosted Supabase can more: an administrator creates accounts, a list takes several
 * `or` conditions, and what Auth lacks is 501.
 */
export function gateway(lite: Fetch, { secretKey, publishableKey }: LocalKeys): Fetch {
  return async (request, peerAddress) => {
    const url = new URL(request.url)
    if (url.pathname === ACCOUNTS && request.method === 'POST' && request.headers.get('apikey') === secretKey)
      return createAccount(request, (asked) => lite(asked, peerAddress), publishableKey)
    if (ABSENT.test(url.pathname))
      return Response.json(
        { code: 'not_implemented', message: 'The embedded Auth does not have this' },
        { status: 501 },
      )
    return lite(withOneOr(request, url), peerAddress)
  }
}

/** Signs the account up, which needs no confirmation here. */
async function createAccount(
  request: Request,
  lite: (request: Request) => Promise<Response>,
  publishableKey: string,
): Promise<Response> {
  const { email, password, user_metadata: data } = await request.json()
  const answer = await lite(
    new Request(new URL('/auth/v1/signup', request.url), {
      method: 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, data }),
    }),
  )
  if (!answer.ok) return answer
  const { user } = await answer.json()
  return Response.json(user)
}

/** lite reads only one `or` of a request: several become one. */
function withOneOr(request: Request, url: URL): Request {
  const several = url.searchParams.getAll('or')
  if (several.length < 2) return request
  url.searchParams.set('or', `(and(${several.map((each) => `or${each}`).join()}))`)
  return new Request(url, request)
}
