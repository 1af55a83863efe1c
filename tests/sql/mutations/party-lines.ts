import { editFunction } from './mutation'

const FILE = '../api/party-lines.test.ts'
const LINES = 'public.party_lines(uuid,timestamptz)'
const COMPLAINTS = 'private.complaints_of_party(public.reservations,uuid)'

const VISITS = 'private.visits_of_party(public.reservations,uuid[])'

/** The lines of a party: functions that check a little less. */
export const partyLineMutations: [file: string, name: string, sql: string][] = [
  [
    'rls-service.test.ts',
    'party_lines: whatever the role',
    editFunction(LINES, "my_locations('canAccessOperaciones')", 'my_locations()'),
  ],
  [
    FILE,
    'party_lines: of every location',
    editFunction(
      LINES,
      "and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))",
      '',
    ),
  ],
  [
    FILE,
    'party_lines: the card without its right',
    editFunction(LINES, "my_organizations('canUseGuestCards')", 'my_organizations()'),
  ],
  [FILE, 'party_lines: visits everywhere', editFunction(LINES, 'private.bound_to()', 'null')],
  [
    FILE,
    'visits_of_party: also the party and later ones',
    editFunction(VISITS, 'o.service_order > p_party.service_order', 'false'),
  ],
  [
    FILE,
    'visits_of_party: the usual table also of the party and later visits',
    editFunction(VISITS, "at time zone 'UTC', p_party)", "at time zone 'UTC')"),
  ],
  [
    FILE,
    'party_lines: a withheld card as none',
    editFunction(LINES, 'g.id is null and (f.party).customer_id is not null', 'false'),
  ],
  [
    FILE,
    'party_lines: every fact without the right to the card',
    editFunction(LINES, " and (g.id is not null or k.kind = 'allergy')", ''),
  ],
  [
    FILE,
    'complaints_of_party: feedback to the floor',
    editFunction(COMPLAINTS, "my_locations('canAccessClientes')", 'my_locations()'),
  ],
  [
    FILE,
    'complaints_of_party: tickets to the floor',
    editFunction(COMPLAINTS, "my_organizations('canAccessClientes')", 'my_organizations()'),
  ],
  [
    FILE,
    'complaints_of_party: tickets of every location',
    editFunction(COMPLAINTS, 'and (t.location_id is null or t.location_id = any(m.locations))', ''),
  ],
]
