import type { useTranslations } from 'next-intl'
import { riskReasons } from '@/components/reservations/risk-reasons'
import type { Allergy } from '@/lib/customers/allergies'
import { type FactCode, kindOf } from '@/lib/customers/fact-codes'
import { severeFirst } from '@/lib/customers/severe'
import type { LineSource, PartyLines } from '@/lib/service/party-lines-schema'
import { allergiesIn, type BoardParty } from './board-model'

/** A part of a line. */
export interface LineItem {
  key: string
  text: string
  /** Null: nothing to open. */
  source: LineSource | null
  /** `suggested`: only a note seems to say it; `loud`: what must not be missed. */
  tone?: 'suggested' | 'loud'
  /** A recorded allergy, which has its own badge. */
  allergy?: Allergy
}

type Known = Pick<
  BoardParty,
  | 'customer_id'
  | 'facts'
  | 'suggested'
  | 'tier'
  | 'vip'
  | 'first_visit'
  | 'birthday_in'
  | 'no_shows'
  | 'risk'
  | 'notes'
  | 'customer_notes'
>

/** `unsaved`: the party is not on the server yet. */
export type LineState = 'loading' | 'read' | 'offline' | 'failed' | 'unsaved'

/** The least time between two tries. */
const AGAIN_MS = 15_000

/**
 * Whether what could not be read is to be asked for again: the board was read since, 15 seconds or more after the try.
 * @param triedAt when the board had last been read at the last try, and `readAt` now, both by the server's clock
 */
export const isTryDue = (state: LineState, triedAt: string, readAt: string): boolean =>
  (state === 'offline' || state === 'failed') && Date.parse(readAt) - Date.parse(triedAt) >= AGAIN_MS

/** Further words, in the language of the page. */
export interface LineWords {
  facts: ReturnType<typeof useTranslations<'client.facts'>>
  risk: ReturnType<typeof useTranslations<'client.risk'>>
  /** How long before a service day another one was. */
  ago: (day: string, today: string) => string
}

/** What a line is made of: the party as the list has it, and the answer, null until it is there. */
export interface LineFacts {
  party: Known
  answer: PartyLines | null
}

const card = ({ customer_id: id }: Known, kind: 'customer' | 'tier' | 'fact' | 'note'): LineSource | null =>
  id ? { kind, id, location_id: null, date: null } : null

/** Who comes: visits, the last one, habits and tier. */
export function whoItems(
  { party, answer }: LineFacts,
  t: ReturnType<typeof useTranslations<'client.service'>>,
  { ago }: LineWords,
): LineItem[] {
  const tier = party.tier ? [{ key: 'tier', text: party.tier, source: card(party, 'tier') }] : []
  if (!answer) {
    const first = { key: 'visits', text: t('firstVisit'), source: card(party, 'customer') }
    return party.first_visit ? [first, ...tier] : tier
  }
  const { withheld, visits, here, first_visit, last, usual, source } = answer.who
  if (visits === null)
    return [{ key: 'none', text: t(withheld ? 'lines.withheld' : 'lines.noGuest'), source: null }]
  const habits = usual && [
    usual.party_size && t('guests', { count: usual.party_size }),
    usual.time && t('lines.at', { time: usual.time }),
    usual.table_name && t('table', { name: usual.table_name }),
  ]
  const counted = t('lines.visits', { count: visits, here: here === visits ? -1 : (here ?? -1) })
  return [
    { key: 'visits', text: first_visit ? t('firstVisit') : counted, source },
    last && {
      ...{ key: 'last', source: last.source },
      text: t('lines.last', { when: ago(last.date, answer.today), place: last.location }),
    },
    usual &&
      habits && {
        ...{ key: 'usual', source: usual.source },
        text: t('lines.usual', { habits: habits.filter(Boolean).join(', ') }),
      },
    ...tier,
  ].filter((item) => item !== null)
}

/** What to avoid: the recorded allergies, the severe ones first; what notes seem to say; diets. */
export function avoidItems(
  { party, answer }: LineFacts,
  t: ReturnType<typeof useTranslations<'client.service'>>,
  { facts }: LineWords,
): LineItem[] {
  return [
    ...severeFirst(allergiesIn(party)).map((allergy) => ({
      ...{ key: allergy.code, text: facts(allergy.code), source: card(party, 'fact'), allergy },
    })),
    ...party.suggested
      .filter((code) => kindOf(code) !== 'preference')
      .map((code) => suggestion(code, answer?.avoid ?? [], t, facts)),
    ...party.facts.filter(({ kind }) => kind === 'diet').map((fact) => noted(fact, party, facts)),
  ]
}

/** What stands where there is nothing to avoid: of a withheld card only the allergies are known. */
export const nothingToAvoid = (
  answer: PartyLines | null,
  t: ReturnType<typeof useTranslations<'client.service'>>,
): string => t(answer?.who.withheld ? 'lines.noAllergy' : 'lines.noAvoid')

/** What a screen reader says once the answer is there: it came after the rest, and complaints must not be missed. */
export const readAloud = (
  { todo }: PartyLines,
  t: ReturnType<typeof useTranslations<'client.service'>>,
): string => {
  const count = todo.filter(({ kind }) => kind === 'complaint' || kind === 'ticket').length
  return t('lines.read', { count })
}

/** What to do: complaints first, then what is due to the guest, then what the booking and the card say. */
export function todoItems(
  { party, answer }: LineFacts,
  t: ReturnType<typeof useTranslations<'client.service'>>,
  words: LineWords,
): LineItem[] {
  const { facts } = words
  const preferences = (answer?.todo ?? []).filter((each) => each.kind === 'preference')
  const items: (LineItem | null | false | '')[] = [
    ...complaints(answer, t, words),
    party.birthday_in !== null && {
      key: 'birthday',
      text: t('birthday', { days: party.birthday_in }),
      source: card(party, 'customer'),
    },
    party.vip && {
      key: 'vip',
      text: party.tier ? t('lines.vip', { tier: party.tier }) : t('vip'),
      source: card(party, 'tier'),
    },
    party.first_visit && { key: 'welcome', text: t('lines.welcome'), source: card(party, 'customer') },
    ...party.facts.filter(({ kind }) => kind === 'preference').map((fact) => noted(fact, party, facts)),
    ...party.suggested
      .filter((code) => kindOf(code) === 'preference')
      .map((code) => suggestion(code, preferences, t, facts)),
    missed({ party, answer }, t),
    party.risk &&
      party.risk.level !== 'low' && {
        key: 'risk',
        text: `${words.risk(`level.${party.risk.level}`)}: ${riskReasons(words.risk, party.risk)}`,
        source: null,
      },
    party.notes && {
      key: 'note',
      text: t('lines.note', { text: party.notes }),
      source: answer?.todo.find(({ kind }) => kind === 'note')?.source ?? null,
    },
    party.customer_notes && {
      key: 'guestNote',
      text: t('lines.guestNote', { text: party.customer_notes }),
      source: card(party, 'note'),
    },
  ]
  return items.filter((item) => item !== null && item !== false && item !== '')
}

function complaints(
  answer: PartyLines | null,
  t: ReturnType<typeof useTranslations<'client.service'>>,
  { ago }: LineWords,
): LineItem[] {
  if (!answer) return []
  return answer.todo.flatMap((each): LineItem[] => {
    if (each.kind === 'complaint') {
      const text = t('lines.complaint', { when: ago(each.date, answer.today), score: each.score })
      return [{ key: 'complaint', tone: 'loud', text, source: each.source }]
    }
    if (each.kind !== 'ticket') return []
    const { number, subject, source } = each
    return [{ key: `ticket ${number}`, tone: 'loud', text: t('lines.ticket', { number, subject }), source }]
  })
}

/** The no-shows: of two years by the answer; until it is there, those that the list counts. */
function missed(
  { party, answer }: LineFacts,
  t: ReturnType<typeof useTranslations<'client.service'>>,
): LineItem | null {
  const found = answer?.todo.find((each) => each.kind === 'no_shows')
  if (found) return { key: 'missed', text: t('lines.noShows', { count: found.count }), source: found.source }
  return answer || party.no_shows === 0
    ? null
    : { key: 'missed', text: t('noShows', { count: party.no_shows }), source: card(party, 'customer') }
}

type Sourced = readonly { code: FactCode; source: LineSource | null }[]

function suggestion(
  code: FactCode,
  known: Sourced,
  t: ReturnType<typeof useTranslations<'client.service'>>,
  facts: LineWords['facts'],
): LineItem {
  const source = known.find((each) => each.code === code)?.source ?? null
  return { key: `? ${code}`, text: t('suggested', { name: facts(code) }), source, tone: 'suggested' }
}

function noted(
  { code, note }: { code: FactCode; note: string | null },
  party: Known,
  facts: LineWords['facts'],
): LineItem {
  return {
    key: code,
    text: note ? `${facts(code)} (${note})` : facts(code),
    source: card(party, 'fact'),
  }
}
