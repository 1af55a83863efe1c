/** A person's full name, or null when none is known. */
export function personName(person: { first_name: string | null; last_name: string | null }): string | null {
  return [person.first_name, person.last_name].filter(Boolean).join(' ') || null
}
