/** The fields that a merge can take from the duplicate. */
export const MERGE_FIELDS = [
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
export type MergeField = (typeof MERGE_FIELDS)[number]
