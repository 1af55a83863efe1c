import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Writes a whole answer and ends it. */
export function send(
  res: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  res.writeHead(status, { ...type, ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/** Writes a value as JSON. */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  send(res, status, JSON.stringify(value))
}

/** A failure the PMS's own way: HTTP 200 with `resp` 0. */
export function sendRefusal(res: ServerResponse, error: string): void {
  sendJson(res, 200, { resp: 0, error })
}
