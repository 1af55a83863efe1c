/**
 * Every error code, with its status and usual text. Programs and the interface read the code; the text is for people
 * who read a log or a terminal, and may be reworded.
 */
export const ERRORS = {
  // Who is asking
  UNAUTHORIZED: [401, 'Unauthorized'],
  WRONG_CREDENTIALS: [401, 'Credenciales no válidas'],
  WRONG_CODE: [401, 'El código no es válido'],
  FORBIDDEN: [403, 'Forbidden'],
  FOREIGN_LOCATION: [403, 'No autorizado para esta ubicación'],
  SECOND_FACTOR_NEEDED: [403, 'Confirm with your second factor'],
  INVALID_INVITATION: [403, 'El enlace de invitación no vale para estos datos'],
  SETUP_REFUSED: [403, 'The setup token is not right, or none is set'],
  LINK_SPENT: [403, 'El enlace ya no vale: pide otro'],
  OTHER_APPROVER_NEEDED: [403, 'Another person has to approve it'],
  RATE_LIMITED: [429, 'Rate limit exceeded'],

  // The request itself
  INVALID_INPUT: [400, 'Invalid input'],
  MALFORMED_JSON: [400, 'Malformed JSON'],
  MALFORMED_FORM: [400, 'Malformed form'],
  MALFORMED_VALUE: [400, 'Malformed value'],
  MALFORMED_CURSOR: [400, 'Malformed cursor'],
  OUT_OF_RANGE: [400, 'Number out of range'],
  NOT_FOUND: [404, 'Not found'],
  METHOD_NOT_ALLOWED: [405, 'Method not allowed'],
  BODY_TOO_SLOW: [408, 'Request body too slow'],
  BODY_TOO_LARGE: [413, 'Request body too large'],
  UNSUPPORTED_CONTENT_TYPE: [415, 'Content-Type must be application/json'],

  // Records
  ALREADY_EXISTS: [409, 'Already exists'],
  CHANGED_MEANWHILE: [409, 'Changed by someone else meanwhile'],
  EDITED_MEANWHILE: [409, 'Someone else changed these fields since they were read'],
  LOCATION_NAME_TAKEN: [409, 'A location with this name exists already'],
  LOCATION_IN_USE: [409, 'The location has reservations or assigned people: deactivate it instead'],
  BRAND_IN_USE: [409, 'The brand has locations: give them another one first'],
  EMAIL_TAKEN: [409, 'A customer with this e-mail exists'],
  CONTACT_NEEDED: [400, 'A customer needs an e-mail, a phone or a name'],
  NO_ADDRESS: [400, 'The customer has no address for it'],
  ADDRESS_REFUSED: [409, 'The address bounced or complained'],
  MERGE_UNDONE: [409, 'The merge was undone already'],
  MERGE_TOO_OLD: [409, 'Merges can be undone for 30 days'],
  MERGED_SINCE: [409, 'The customer was merged again since: undo that first'],
  TOO_MANY_CUSTOMERS: [409, 'More than 5,000 customers match: narrow the filters'],
  SEGMENT_IN_USE: [409, 'Automations use the segment'],
  TOO_MANY_SEGMENTS: [409, 'There are 200 segments already: delete one first'],
  NOT_ENOUGH_POINTS: [409, 'Not enough points'],
  WAITLIST_FULL: [409, 'There are 200 parties waiting already'],
  SHIFT_NOTES_FULL: [409, 'The day has ten notes already'],
  NOT_AUTHOR: [403, 'Only its author may change it'],
  TOO_MANY_ROWS: [409, 'More rows than a spreadsheet of ours holds: narrow it, or take CSV'],
  MANAGED_BY_PMS: [409, 'This reservation is managed by the PMS'],

  // Team, accounts and tokens
  SETUP_DONE: [409, 'There is a group already: sign in'],
  OWN_ACCOUNT: [409, 'You cannot change your own role or locations, nor remove yourself'],
  ALREADY_MEMBER: [409, 'This e-mail belongs to a member already'],
  ALREADY_INVITED: [409, 'This e-mail is invited already'],
  TOO_MANY_TOKENS: [409, 'There are 50 tokens in use already: revoke one first'],
  NO_SECOND_FACTOR: [409, 'There is no second factor'],
  SECOND_FACTOR_EXISTS: [409, 'You have a second factor already'],
  OWN_SECOND_FACTOR_FIRST: [409, 'require_second_factor: set up your own second factor first'],
  SECOND_FACTOR_UNSUPPORTED: [501, 'The Auth of this installation has no second factor'],
  PUSH_NOT_SET_UP: [501, 'This installation has no VAPID keys'],
  PUSH_DEVICE_TAKEN: [409, 'The address is another person’s, with other keys'],
  AUTH_UNAVAILABLE: [503, 'Sign-in is not available'],

  // Sync and imports
  PMS_NOT_CONFIGURED: [500, 'PMS integration is not configured'],
  SYNC_RUNNING: [409, 'Sync already running'],
  SYNC_FAILED: [500, 'No location could be synced'],
  JOB_TIMED_OUT: [500, 'Not finished in time'],
  NO_FILE: [400, 'No file provided'],
  TOO_MANY_FILES: [400, 'Only one file at a time'],
  EMPTY_FILE: [400, 'The file is empty'],
  FILE_IN_UTF16: [400, 'The file is in UTF-16: save it as CSV in UTF-8'],
  NO_KNOWN_HEADER: [400, 'No known header: the first row must name an email or a phone column'],
  IMPORT_OVER: [409, 'The import is over'],

  // Automations and messages
  AUTOMATION_NOT_FOUND: [404, 'Automation not found'],
  OUTCOME_KNOWN: [409, 'Not unknown'],
  NOT_PAUSED: [409, 'Not paused'],
  NOT_RUNNING: [409, 'Not running'],
  NOT_WAITING: [409, 'Not waiting for approval'],
  RUN_CHANGED: [409, 'It has changed'],

  // Our side
  MODEL_FAILED: [500, 'The language model failed'],
  INTERNAL_ERROR: [500, 'Unexpected error'],
  UNHEALTHY: [503, 'The database does not answer'],
} as const satisfies Record<string, readonly [status: number, error: string]>

export type ErrorCode = keyof typeof ERRORS

/** The problems of a field. The codes of zod's own checks have their limits in `params`. */
export const ISSUE_CODES = [
  'required',
  'wrong_type',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'too_small',
  'too_big',
  'invalid_format',
  'unknown_value',
  'unknown_field',
  'unknown',
  'unstorable',
  'invalid',
  'control_characters',
  'out_of_range',
  'in_the_future',
  'not_unique',
  'not_zero',
  'edited',
  'ends_before_start',
  'overlap',
  'weak_password',
  'weak_password_link_spent',
  'same_password',
  'wrong_password',
  'one_required',
  'scheme',
  'internal_name',
  'loopback',
  'private',
  'link_local',
  'reserved',
  'same_channel',
  'before_window',
  'name_yours',
  'not_yours',
  'own_address_only',
  'template_output_open',
  'template_tag_open',
  'template_unknown_tag',
  'template_unknown_filter',
  'template_value',
  'template_range',
  'template_too_deep',
  'template_too_long',
  'template_too_slow',
  'template_invalid',
] as const
export type IssueCode = (typeof ISSUE_CODES)[number]

/** The problem of a field in an answer: `path` such as `criteria.days_before`, empty for the whole body. */
export interface Issue {
  path: string
  code: IssueCode
  params?: Readonly<Record<string, string | number>>
}
