import { createHash } from 'node:crypto'
import type { Random } from '../../../fakes/pms/random'
import type { Guest } from './guests'

/** A row of public.customers, with the truth beside it. */
export interface GuestRecord {
  id: string
  /** Equal: the same person. */
  person: number
  /** Equal and not 0: people who are easily confused; `trap` says why. */
  circle: number
  trap: Trap | null
  /** What is wrong with this record, next to the person's first one. */
  corruptions: Corruption[]
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  birth_date: string | null
  company: string | null
  job_title: string | null
  address: string | null
}

export type Trap =
  | 'couple'
  | 'family'
  | 'siblings'
  | 'twins'
  | 'parent and child'
  | 'company'
  | 'namesakes'
  | 'concierge'
  | 'recycled phone'
  | 'alike mailbox'

export type Corruption =
  | 'nickname'
  | 'no second surname'
  | 'surnames swapped'
  | 'initials'
  | 'surname only'
  | 'given only'
  | 'given and surname swapped'
  | 'compound cut'
  | 'letters transposed'
  | 'letter wrong'
  | 'cut at 20'
  | 'whole name in one field'
  | 'phone typo'
  | 'phone changed'
  | 'phone without its country'
  | 'phone blank'
  | 'e-mail typo'
  | 'e-mail changed'
  | 'e-mail +suffix'
  | 'e-mail blank'
  | 'birth date typo'

/** How much a base knows of its guests: the share of records that have the field. */
export interface Knowledge {
  email: number
  phone: number
  birth: number
  secondSurname: number
  address: number
}

/** Where the records come from. They differ in what they know, so that no model fits one of them only. */
export const KNOWLEDGE = {
  /** Bookings from the web and the phone, a few with a birthday for the mailing. */
  restaurants: { email: 0.75, phone: 0.93, birth: 0.35, secondSurname: 0.6, address: 0.2 },
  /** A loyalty club: it asks for everything. */
  club: { email: 0.9, phone: 0.9, birth: 0.85, secondSurname: 0.85, address: 0.6 },
  /** A book of telephone bookings. */
  telephone: { email: 0.35, phone: 0.97, birth: 0.08, secondSurname: 0.35, address: 0.05 },
} satisfies Record<string, Knowledge>

/** An id from the seed and a number, in no order that would give the truth away. */
export function recordId(seed: string, number: number): string {
  const hex = createHash('sha256').update(`${seed}/${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What a record holds before anything goes wrong; the draft that corruptions work on. */
export interface Draft {
  given: string[]
  surnames: string[]
  email: string
  phone: string
  birth: string
  company: string
  job: string
  address: string
}

/** The guest as one booking knows them. */
export function draftOf(random: Random, guest: Guest, knowledge: Knowledge): Draft {
  const known = (share: number, value: string) => (random.chance(share) ? value : '')
  return {
    given: [...guest.given],
    surnames: random.chance(knowledge.secondSurname) ? [...guest.surnames] : guest.surnames.slice(0, 1),
    email: known(knowledge.email, guest.mailbox),
    phone: known(knowledge.phone, guest.phone),
    birth: known(knowledge.birth, guest.birth),
    company: known(0.8, guest.company),
    job: guest.job,
    address: known(knowledge.address, guest.address),
  }
}

/** As the draft was typed: a seventh in capitals, a third without accents, M.ª for María. */
export function typed(random: Random, draft: Draft): Pick<GuestRecord, 'first_name' | 'last_name'> {
  const style = random.weighted<(text: string) => string>([
    [(text) => text, 0.5],
    [withoutAccents, 0.28],
    [(text) => text.toUpperCase(), 0.08],
    [(text) => withoutAccents(text).toUpperCase(), 0.07],
    [(text) => withoutAccents(text).toLowerCase(), 0.07],
  ])
  const words = draft.given.map((word, index) =>
    word === 'María' && (index > 0 || draft.given.length > 1) && random.chance(0.25)
      ? random.pick(['Mª', 'M.ª', 'M.', 'Ma'])
      : word,
  )
  return {
    first_name: style(words.join(' ')) || null,
    last_name: style(draft.surnames.join(' ')) || null,
  }
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}
