import { HttpError } from './errors'

/**
 * Refuses a request that another site made a browser send: `Sec-Fetch-Site: cross-site`, or an `Origin`
 * whose host is not the one addressed. Clients that are no browsers send neither and pass.
 * @throws HttpError 403.
 */
export function refuseForeignOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  const host =
    request.headers.get('x-forwarded-host') ?? request.headers.get('host') ?? new URL(request.url).host
  const foreign = origin !== null && URL.parse(origin)?.host !== host
  if (foreign || request.headers.get('sec-fetch-site') === 'cross-site') {
    throw new HttpError(403, { error: 'Forbidden' })
  }
}
