/** The caller's address as the platform in front of the app reports it; `local` when there is none. */
export function clientAddress(request: Request): string {
  const forwarded = request.headers.get('x-real-ip') ?? request.headers.get('x-forwarded-for')?.split(',')[0]
  return forwarded?.trim().slice(0, 64) || 'local'
}
