import { addDays } from '@/lib/dates'
import { oneOf, share, whole } from './chance'

/** A guest's data besides name and contact. */
export interface GuestProfile {
  birth_date: string | null
  tags: string[]
  notes: string | null
  company: string | null
  address: string | null
}

/** Tags, each with its share of the guests (0 to 1). */
export const TAGS = [
  ['vecino', 0.06],
  ['empresa', 0.04],
  ['familia', 0.04],
  ['celíaco', 0.025],
  ['VIP', 0.02],
  ['amante del vino', 0.03],
  ['prensa', 0.006],
] as const

/** What staff wrote about guests. */
export const GUEST_NOTES = [
  'Prefiere la terraza si hace bueno.',
  'Alergia al marisco: avisar a cocina.',
  'Intolerancia a la lactosa.',
  'Viene con un bebé: necesita trona.',
  'Pide siempre mesa tranquila, lejos de la barra.',
  'Vegetariana. Le gusta la menestra de temporada.',
  'Celebra con nosotros la comida de Navidad de su equipo.',
  'Silla de ruedas: mesa con acceso sin escalón.',
] as const

const COMPANIES = [
  'Talleres Almendro',
  'Gestoría Ribalta',
  'Estudio Norte Claro',
  'Bodegas Tres Cerros',
] as const
const STREETS = [
  'Calle del Molino Azul',
  'Plaza de la Higuera',
  'Avenida del Faro',
  'Calle Ronda Vieja',
] as const

/** Profiles of today's guests of note, in the order of arrival. */
export const EXPECTED: { tags: string[]; notes: string; birthdayIn?: number }[] = [
  {
    tags: ['VIP', 'vecino'],
    notes: 'Alergia grave a los frutos secos. Mesa junto a la ventana, como siempre.',
  },
  { tags: ['celíaco'], notes: 'Celiaquía: avisar a cocina y sacar la carta sin gluten.' },
  { tags: ['VIP'], notes: 'Hoy es su cumpleaños: postre con vela y felicitación del equipo.', birthdayIn: 0 },
  { tags: ['prensa'], notes: 'Escribe de gastronomía. Avisar a comunicación de que viene.' },
  { tags: ['familia'], notes: 'Vienen con dos niños; el pequeño es alérgico al huevo.' },
  { tags: ['VIP', 'amante del vino'], notes: 'Le guardamos una botella de la última cata.', birthdayIn: 3 },
  { tags: ['empresa'], notes: 'Comida de trabajo: factura a nombre de la empresa.' },
  { tags: ['vecino'], notes: 'Intolerancia a la lactosa. Café con bebida de avena.', birthdayIn: 1 },
  { tags: ['celíaco', 'vecino'], notes: 'Celíaca y vegetariana.' },
  { tags: [], notes: 'La última vez esperó 25 minutos: cuidar la bienvenida.', birthdayIn: 5 },
  { tags: ['VIP'], notes: 'Alergia al marisco y a los moluscos.' },
  { tags: [], notes: 'Cumple años hoy y viene con sus padres.', birthdayIn: 0 },
]

/** The number of today's guests of note. */
export const EXPECTED_GUESTS = EXPECTED.length

/**
 * The profile of a guest, the same for the same key.
 * @param expected the guest's place among those with a table today, if any
 */
export function guestProfile(key: string, today: string, expected?: number): GuestProfile {
  const known = expected === undefined ? undefined : EXPECTED[expected]
  const company = share(key, 'company') < 0.04 ? oneOf(key, 'which company', COMPANIES) : null
  const address =
    share(key, 'address') < 0.1 ? `${oneOf(key, 'street', STREETS)}, ${whole(key, 'house', 1, 90)}` : null
  const birth_date = birthDate(key, today, known?.birthdayIn)
  if (known) return { birth_date, tags: known.tags, notes: known.notes, company, address }
  const tags = TAGS.filter(([tag, part]) => share(key, tag) < part).map(([tag]) => tag)
  return {
    birth_date,
    tags,
    notes: share(key, 'notes') < 0.05 ? oneOf(key, 'note', GUEST_NOTES) : null,
    company,
    address,
  }
}

function birthDate(key: string, today: string, birthdayIn?: number): string | null {
  const year = whole(key, 'born in', 1948, 2003)
  if (birthdayIn !== undefined)
    return `${year}${addDays(today, birthdayIn).slice(4)}`.replace('02-29', '02-28')
  return share(key, 'birth date') < 0.3 ? addDays(`${year}-01-01`, whole(key, 'born on', 0, 364)) : null
}
