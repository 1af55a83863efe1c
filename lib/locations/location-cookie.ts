/** The cookie that keeps the location chosen in the header; without it pages show all. */
export const LOCATION_COOKIE = 'sobremesa_location'

/** The value of `?location=` that asks for all locations, whatever was chosen in the header. */
export const ALL_LOCATIONS = 'all'
