/** What a column of the file can hold. */
export const FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'country_code',
  'birth_date',
  'company',
  'job_title',
  'address',
  'tags',
  'notes',
] as const
export type Field = (typeof FIELDS)[number]

/** The headers of each field, in Spanish and English, as `plain` leaves them. */
const HEADERS: Record<Field, string> = {
  email: 'email mail emailaddress correo correoelectronico',
  phone: 'phone phonenumber telephone mobile mobilephone telefono telefonomovil movil tel celular',
  country_code: 'codigopais codigodepais codigodelpais countrycode phonecountrycode prefijo prefijopais',
  first_name: 'nombre name firstname givenname',
  last_name: 'apellido apellidos lastname surname familyname',
  birth_date: 'cumpleanos fechadenacimiento fechanacimiento nacimiento birthday birthdate dateofbirth',
  company: 'empresa compania company companyname',
  job_title: 'cargo puesto jobtitle position',
  address: 'direccion domicilio address',
  tags: 'etiqueta etiquetas tag tags',
  notes: 'nota notas observaciones comentarios note notes',
}

const FIELD_OF = new Map(
  Object.entries(HEADERS).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as Field] as const),
  ),
)

/** The most columns of a file. */
export const MAX_COLUMNS = 200

/** What the columns of these names hold, said by hand; null: nothing to import. */
export type Mapping = ReadonlyMap<string, Field | null>

/** Which columns hold which field; several may hold the same one. */
export type Columns = ReadonlyMap<Field, readonly number[]>

/**
 * Finds the known fields in a header row, in any order, whatever their case, accents, blanks and underscores;
 * what `mapping` says of a column comes first. Null when it has neither e-mail nor phone: then it is no header of ours.
 */
export function findColumns(header: readonly string[], mapping?: Mapping): Columns | null {
  const columns = new Map<Field, number[]>()
  for (const [index, name] of header.entries()) {
    const said = mapping?.get(name.trim())
    const field = said === undefined ? fieldOf(name) : said
    if (field) columns.set(field, [...(columns.get(field) ?? []), index])
  }
  return columns.has('email') || columns.has('phone') ? columns : null
}

/** What a column of this name holds, as far as its name says; null when it says nothing to us. */
export function fieldOf(name: string): Field | null {
  return FIELD_OF.get(plain(name)) ?? null
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\(s\)/g, 's')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
