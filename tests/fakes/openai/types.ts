import type { IncomingHttpHeaders } from 'node:http'

/** What the model says to one request; usage 100/20/120 when absent. */
export interface Reply {
  content?: string
  calls?: { id: string; name: string; arguments: string }[]
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

/** How the provider fails. Every request fails so until `setFault(null)`. */
export type Fault =
  /** 401 with this message; `{key}` in it becomes the key that was sent. */
  | { kind: 'unauthorized'; message: string }
  | { kind: 'rate_limited'; retryAfter: number }
  /** 429 of an account that has no credit. */
  | { kind: 'no_credit' }
  | { kind: 'server_error'; message?: string }
  /** Accepts the request and never answers. */
  | { kind: 'hang' }
  /** 200 with something that is not the format; `chunk` within a stream. */
  | { kind: 'garbage'; body: string; type?: string }
  /** A stream that waits after its first piece, or an answer that waits, until `proceed()`. */
  | { kind: 'slow' }
  /** The connection breaks after the first piece, or in the middle of the JSON. */
  | { kind: 'cut' }
  /** The stream ends in good order but without its last events. */
  | { kind: 'unfinished' }
  | { kind: 'redirect'; location: string }

/** A request as it came. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Resolves when the connection closes: true when that was before the answer's end. */
  left: Promise<boolean>
}
