/** The fields that a column of the file can contain. */
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

/** The headers of each field, in Spanish and English, in the form that `plain` returns. */
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

/** The maximum number of columns of a file. */
export const MAX_COLUMNS = 200

/** The field that a person chose for each column, by the column's name; null: do not import it. */
export type Mapping = ReadonlyMap<string, Field | null>

/** The columns of each field; a field may have several. */
export type Columns = ReadonlyMap<Field, readonly number[]>

/**
 * Finds the known fields in a header row, in any order, ignoring case, accents, blanks and underscores;
 * `mapping` takes precedence. Null when no column is an e-mail or a phone.
 */
export function findColumns(header: readonly string[], mapping?: Mapping): Columns | null {
  const columns = new Map<Field, number[]>()
  for (const [index, name] of header.entries()) {
    const chosen = mapping?.get(name.trim())
    const field = chosen === undefined ? fieldOf(name) : chosen
    if (field) columns.set(field, [...(columns.get(field) ?? []), index])
  }
  return columns.has('email') || columns.has('phone') ? columns : null
}

/** The field that a column's name stands for; null when the name is unknown. */
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
