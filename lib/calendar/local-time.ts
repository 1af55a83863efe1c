/** What a clock in the time zone shows at an instant: `YYYY-MM-DDTHH:mm`. */
export function localTime(instant: Date | string, timezone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(new Date(instant)).replace(' ', 'T')
}

/** The instant at which a clock in the time zone shows `YYYY-MM-DDTHH:mm`; in the skipped hour of spring, one later. */
export function instantAt(local: string, timezone: string): Date {
  const asUtc = Date.parse(`${local}:00Z`)
  const offsetAt = (time: number) => Date.parse(`${localTime(new Date(time), timezone)}:00Z`) - time
  // The offset at the guess may be that of the other side of a clock change; a second look settles it.
  return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)))
}
