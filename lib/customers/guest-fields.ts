/** What a field of a customer is: where it stands, and what follows from it. */
export interface GuestField {
  /**
   * Names, contacts, dates, the language, tags and locations have places of their own on the pages; each `text` is
   * shown there by itself, `notes` below.
   */
  type: 'name' | 'email' | 'phone' | 'date' | 'text' | 'language' | 'tags' | 'location' | 'notes'
  /** The longest text that people may enter; of tags, each. The column may take more: supabase/schema/customers.sql. */
  limit: number
  /** Null: no column of an imported file has it. */
  csv: {
    /** The headers that users' files have, in Spanish and English, as `plain` in lib/imports/columns.ts returns them. */
    headers: string
    limit: number
    /** Whether line breaks of a file are kept. */
    lines: boolean
  } | null
  /**
   * Nothing of it must get lost, as it may mention an allergy: a merge keeps both texts (supabase/logic/customers/merges.sql),
   * a file only fills a blank (supabase/logic/imports/rows.sql).
   */
  keepsBoth: boolean
  /** Whether the search for likely duplicates compares it (supabase/logic/identity/forms.sql). */
  compared: boolean
  /** Whether it is on the card of floor staff, who may not read customers (public.guest_card); the name is one text there. */
  floor: boolean
  /** Whether the assistant reads it; the name is one text there too. */
  assistant: boolean
}

/** How many further e-mails, and phones, people may give a customer (private.contact_obstacle). */
export const MAX_FURTHER = 20

const COMPARED = { keepsBoth: false, compared: true, floor: false, assistant: false } as const
const KNOWN_TO_ALL = { keepsBoth: false, compared: false, floor: true, assistant: true } as const

/**
 * The fields of a customer that people edit, in the order in which pages show them. Everything else about them follows
 * from here: checks, forms, files, merges; SQL has its list in private.customer_fields, their words are
 * `client.guestFields`. CONTRIBUTING.md has the recipe.
 */
export const GUEST_FIELDS = {
  first_name: {
    type: 'name',
    limit: 100,
    csv: { headers: 'nombre name firstname givenname', limit: 120, lines: false },
    ...COMPARED,
  },
  last_name: {
    type: 'name',
    limit: 100,
    csv: { headers: 'apellido apellidos lastname surname familyname', limit: 120, lines: false },
    ...COMPARED,
  },
  email: {
    type: 'email',
    limit: 254,
    csv: { headers: 'email mail emailaddress correo correoelectronico', limit: 254, lines: false },
    ...COMPARED,
  },
  phone: {
    type: 'phone',
    limit: 40,
    csv: {
      headers: 'phone phonenumber telephone mobile mobilephone telefono telefonomovil movil tel celular',
      // Two numbers and a word.
      limit: 100,
      lines: false,
    },
    ...COMPARED,
  },
  birth_date: {
    type: 'date',
    limit: 10,
    csv: {
      headers: 'cumpleanos fechadenacimiento fechanacimiento nacimiento birthday birthdate dateofbirth',
      limit: 10,
      lines: false,
    },
    ...COMPARED,
    assistant: true,
  },
  company: {
    type: 'text',
    limit: 200,
    csv: { headers: 'empresa compania company companyname', limit: 200, lines: false },
    ...COMPARED,
    assistant: true,
  },
  job_title: {
    type: 'text',
    limit: 200,
    csv: { headers: 'cargo puesto jobtitle position', limit: 200, lines: false },
    ...COMPARED,
  },
  address: {
    type: 'text',
    limit: 500,
    csv: { headers: 'direccion domicilio address', limit: 500, lines: true },
    ...COMPARED,
  },
  postal_code: {
    type: 'text',
    limit: 12,
    csv: { headers: 'cp codigopostal postalcode postcode zip zipcode', limit: 12, lines: false },
    ...COMPARED,
    // The search reads the one in the address.
    compared: false,
  },
  city: {
    type: 'text',
    limit: 120,
    csv: {
      headers:
        'ciudad poblacion localidad municipio city town municipality ciutat poblacio localitat municipi',
      limit: 120,
      lines: false,
    },
    ...COMPARED,
    compared: false,
  },
  language: {
    type: 'language',
    limit: 40,
    csv: {
      headers:
        'idioma lengua language lang locale languagecode preferredlanguage codigoidioma idiomapreferido llengua hizkuntza lingua',
      limit: 40,
      lines: false,
    },
    ...COMPARED,
    compared: false,
  },
  tags: {
    type: 'tags',
    limit: 60,
    csv: { headers: 'etiqueta etiquetas tag tags', limit: 60, lines: false },
    ...KNOWN_TO_ALL,
  },
  // An import takes the location from its form, for the whole file.
  location_id: { type: 'location', limit: 36, csv: null, ...COMPARED, compared: false },
  notes: {
    type: 'notes',
    limit: 5000,
    csv: { headers: 'nota notas observaciones comentarios note notes', limit: 2000, lines: true },
    ...KNOWN_TO_ALL,
    keepsBoth: true,
  },
} as const satisfies Record<string, GuestField>

type Fields = typeof GUEST_FIELDS
export type GuestFieldName = keyof Fields
/** The names of the fields that have these properties. */
type Having<P> = { [F in GuestFieldName]: Fields[F] extends P ? F : never }[GuestFieldName]

export const FIELD_NAMES = Object.keys(GUEST_FIELDS) as GuestFieldName[]

/** The fields with one value: a form has an input for each, and a merge can take each from the duplicate. */
export type SingleField = Exclude<GuestFieldName, Having<{ type: 'tags' }>>
export const SINGLE_FIELDS = FIELD_NAMES.filter(
  (name): name is SingleField => GUEST_FIELDS[name].type !== 'tags',
)

/** The fields that have all these properties, in their order. */
export function fieldsWith<const P extends Partial<GuestField>>(wanted: P): Having<P>[] {
  const pairs = Object.entries(wanted) as [keyof GuestField, unknown][]
  return FIELD_NAMES.filter((name): name is Having<P> =>
    pairs.every(([key, value]) => GUEST_FIELDS[name][key] === value),
  )
}

/** The fields that tell who a guest is: what the search for likely duplicates compares. */
export const COMPARED_FIELDS = fieldsWith({ compared: true })

/** The fields of plain text, which the form and the page show as they come. */
export const TEXT_FIELDS = fieldsWith({ type: 'text' })

/** What stands in an object under these names. */
export const pick = <T extends object, K extends keyof T>(object: T, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, K>

type Make = (field: GuestField) => unknown

/** Makes something of each field, such as its check, under its name: by its type, else with `other`. */
export const eachField = <O extends Make, M extends Partial<Record<GuestField['type'], Make>>>(
  other: O,
  byType: M,
) =>
  Object.fromEntries(
    FIELD_NAMES.map((name) => [name, (byType[GUEST_FIELDS[name].type] ?? other)(GUEST_FIELDS[name])]),
  ) as {
    [F in GuestFieldName]: Fields[F]['type'] extends keyof M
      ? M[Fields[F]['type']] extends Make
        ? ReturnType<M[Fields[F]['type']]>
        : never
      : ReturnType<O>
  }
