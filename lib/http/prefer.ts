/** Whether the client asked not to wait for the work (`Prefer: respond-async`, RFC 7240). */
export function prefersAsync(request: Request): boolean {
  const preferences = request.headers.get('prefer')?.split(',') ?? []
  return preferences.some(
    (preference) => preference.split(/[;=]/)[0]?.trim().toLowerCase() === 'respond-async',
  )
}
