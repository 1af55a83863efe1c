import type { Messages } from 'next-intl'
import type { SyncIssue } from '@/lib/pms/sync/issues'

export type ProblemKey = keyof Messages['sync']['problems']

// Exhaustive: a new code of the sync does not compile until it has a sentence.
const KEYS: Record<SyncIssue['code'], ProblemKey> = {
  timeout: 'timeout',
  unreachable: 'unreachable',
  rate_limited: 'rateLimited',
  http_status: 'answeredWithError',
  not_json: 'unreadable',
  refused: 'refused',
  bad_base_url: 'badAddress',
  out_of_time: 'outOfTime',
  not_saved: 'notSaved',
  not_an_object: 'notAReservation',
  no_id: 'noId',
  bad_date: 'badDate',
  bad_time: 'badTime',
  bad_party_size: 'badPartySize',
  bad_field: 'badField',
  too_long: 'tooLong',
  refused_row: 'refusedRow',
  unknown_status: 'unknownStatus',
  more: 'more',
}

/** The sentence for a problem's code; stored runs may hold codes of another version. */
export function problemKey(code: string): ProblemKey {
  return Object.hasOwn(KEYS, code) ? KEYS[code as SyncIssue['code']] : 'other'
}
