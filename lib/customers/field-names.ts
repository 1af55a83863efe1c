/**
 * The fields that people edit and that hold one value, in the order in which two customers are compared. The form
 * shows them, and a merge can take each from the duplicate. Tags have several values, and are combined.
 */
export const SINGLE_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'company',
  'job_title',
  'address',
  'location_id',
  'notes',
] as const
export type SingleField = (typeof SINGLE_FIELDS)[number]

/**
 * The longest text that people may enter in each field, for the form and the API. Why an import allows longer names:
 * supabase/schema/customers.sql.
 */
export const TEXT_LIMITS = {
  first_name: 100,
  last_name: 100,
  company: 200,
  job_title: 200,
  address: 500,
  notes: 5000,
} as const satisfies Partial<Record<SingleField, number>>
