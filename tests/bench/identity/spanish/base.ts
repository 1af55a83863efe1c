import { createRandom, type Random } from '../../../fakes/pms/random'
import { spoil } from './corruptions'
import { drawGuest, type Guest, Registry } from './guests'
import { type Draft, draftOf, type GuestRecord, KNOWLEDGE, type Knowledge, recordId, typed } from './records'
import { type Circle, drawCircle } from './traps'

export interface BaseOptions {
  seed: string
  /** About how many records; the last person may have a few more. */
  records: number
  knowledge?: keyof typeof KNOWLEDGE
}

/**
 * Draws the records of a group's guests with the truth, one after another: the same seed gives the same ones. Three of
 * four people have one record, as in a base that was matched by mailbox and phone; one of seven stands in a circle of
 * people who are easily confused.
 */
export function* drawBase({ seed, records, knowledge = 'restaurants' }: BaseOptions): Generator<GuestRecord> {
  const random = createRandom(seed)
  const registry = new Registry()
  const taken = new Set<string>()
  let made = 0
  for (let circle = 1; made < records; circle++) {
    const around: Pick<Circle, 'guests' | 'shows'> & { trap: Circle['trap'] | null } = random.chance(0.14)
      ? drawCircle(random, registry)
      : { trap: null, guests: [drawGuest(random, registry)], shows: null }
    for (const guest of around.guests)
      for (const record of recordsOf(random, registry, guest, around.shows, KNOWLEDGE[knowledge])) {
        made++
        yield {
          ...record,
          id: recordId(seed, made),
          circle: around.trap ? circle : 0,
          trap: around.trap,
          email: freeAddress(record.email, taken, random),
        }
      }
  }
}

function recordsOf(
  random: Random,
  registry: Registry,
  guest: Guest,
  shows: Circle['shows'],
  knowledge: Knowledge,
): GuestRecord[] {
  const count = random.weighted([
    [1, 0.74],
    [2, 0.17],
    [3, 0.06],
    [4, 0.02],
    [5, 0.01],
  ])
  const drafts: Draft[] = []
  return Array.from({ length: count }, (_, place) => {
    const draft = draftOf(random, guest, knowledge)
    const corruptions = place === 0 ? [] : spoil(draft, guest, random, registry)
    if (shows === 'birth') draft.birth = guest.birth
    if (shows === 'second surname') draft.surnames = [...guest.surnames]
    if (place === 0 && !draft.email && !draft.phone && !draft.birth) draft.phone = guest.phone
    // One in thirty could be anybody, as in life; else something ties it to a record before.
    if (place > 0 && !drafts.some((one) => isTied(one, draft)) && random.chance(0.97))
      tie(draft, random.pick(drafts), guest)
    drafts.push(draft)
    return recordOf(random, guest, draft, corruptions, place)
  })
}

/** One record of a draft; a twelfth comes through a PMS that mixes or cuts fields. */
export function recordOf(
  random: Random,
  guest: Guest,
  draft: Draft,
  corruptions: GuestRecord['corruptions'],
  place: number,
): GuestRecord {
  const names = typed(random, draft)
  const kinds = [...corruptions]
  if (place > 0 && names.first_name && names.last_name) {
    const { first_name, last_name } = names
    const way = random.weighted([
      ['', 0.9],
      ['whole name in one field', 0.04],
      ['given and surname swapped', 0.03],
      ['cut at 20', 0.03],
    ] as const)
    if (way === 'whole name in one field') {
      names.first_name = `${first_name} ${last_name}`
      names.last_name = null
    } else if (way === 'given and surname swapped') {
      names.first_name = last_name
      names.last_name = first_name
    } else if (way === 'cut at 20' && first_name.length + last_name.length > 19) {
      names.last_name =
        `${first_name} ${last_name}`
          .slice(0, 20)
          .slice(first_name.length + 1)
          .trim() || null
    }
    if (way && (way !== 'cut at 20' || names.last_name !== last_name)) kinds.push(way)
  }
  return {
    id: '',
    person: guest.person,
    circle: 0,
    trap: null,
    corruptions: kinds,
    ...names,
    email: draft.email || null,
    phone: draft.phone || null,
    birth_date: draft.birth || null,
    company: draft.company || null,
    job_title: draft.job || null,
    address: draft.address || null,
  }
}

/** Whether somebody with both records before them would see that they may be one person. */
function isTied(one: Draft, other: Draft): boolean {
  const near = (a: string, b: string) =>
    a !== '' && b !== '' && (a.slice(-9, -4) === b.slice(-9, -4) || a.slice(-4) === b.slice(-4))
  const named = (draft: Draft) => draft.given.length > 0 && draft.surnames.length > 0
  const local = (draft: Draft) => draft.email.split('@')[0]?.split('+')[0]?.slice(0, 4) ?? ''
  return (
    near(one.phone, other.phone) ||
    (one.email !== '' && other.email !== '' && local(one) === local(other)) ||
    (one.birth !== '' && one.birth === other.birth && named(one) && named(other)) ||
    (one.address !== '' && one.address === other.address && named(one) && named(other))
  )
}

function tie(draft: Draft, before: Draft, guest: Guest): void {
  if (before.phone) draft.phone = before.phone
  else if (before.email) draft.email = before.email.replace('@', '+mesa@')
  else {
    draft.birth = before.birth
    draft.given = [...guest.given]
    draft.surnames = [...guest.surnames]
  }
  if (draft.given.length === 0 && draft.surnames.length === 0) draft.given = [...guest.given]
}

/** `customers.email` is unique in a group: who comes second with a mailbox has a +suffix, or none. */
function freeAddress(email: string | null, taken: Set<string>, random: Random): string | null {
  if (!email) return null
  const [local = '', domain = ''] = email.split('@')
  const tagged = `${local}+${random.int(2, 9)}${random.pick(['', 'a', 'b'])}@${domain}`
  const free = !taken.has(email) ? email : random.chance(0.5) && !taken.has(tagged) ? tagged : null
  if (free) taken.add(free)
  return free
}
