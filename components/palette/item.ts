/** A place the palette leads to. */
export interface PaletteItem {
  kind: 'pages' | 'customers' | 'reservations'
  href: string
  label: string
  detail: string | null
  /** For how many a reservation is. */
  guests?: number
}

/** What the palette of this person can look up. */
export interface PaletteScope {
  pages: { href: string; label: string }[]
  customers: boolean
  /** The service days whose reservations are looked up, with their words; none without the permission. */
  days: { date: string; label: string }[]
}
