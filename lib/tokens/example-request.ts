/** A line for a shell that asks the app at `origin` with a token. */
export function exampleRequest(origin: string): string {
  return `curl -H "Authorization: Bearer sbm_…" ${origin}/api/reservations`
}
