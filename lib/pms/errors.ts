/** Why a location could not be fetched. */
export type PmsFailure =
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'http_status'
  | 'not_json'
  | 'refused'
  | 'bad_base_url'
  | 'out_of_time'

/** A failed PMS request. `message` names neither the URL nor the key, so it may be shown and logged. */
export class PmsError extends Error {
  constructor(
    readonly code: PmsFailure,
    message: string,
    /** Present when the same request may succeed a little later; `afterSeconds` is the PMS' own wish. */
    readonly retry?: { afterSeconds: number },
  ) {
    super(message)
    this.name = 'PmsError'
  }
}
