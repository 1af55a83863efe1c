import type { Channel } from '@/lib/messaging/channels'

/** A guest as the model knows them: the addresses they are written to, and all they are known by. */
export interface ModelGuest {
  id: string
  name: string
  email: string | null
  phone: string | null
  contacts: Set<string>
  /** Whether another guest has the same phone. */
  shares: boolean
}

/** A message that a provider took. */
export interface Taken {
  channel: Channel
  address: string
}
/** How many texts and e-mails had been taken when someone said no, and how they said it. */
interface Place {
  texts: number
  mails: number
  how?: string
}
/** By which channel a run writes, and which one stands in. */
export interface Way {
  channel: Channel
  fallback: Channel | null
}

const addressOf = ({ email, phone }: ModelGuest, channel: Channel | null) =>
  channel === null ? null : channel === 'email' ? email : phone

/**
 * Who said no, to which address and when, kept apart from the app. SMS and WhatsApp to a number are one address, and a no
 * of a guest holds for the address they are written to. `place` is where the providers' ledgers stand.
 */
export function noModel(place: () => Place) {
  const guests: ModelGuest[] = []
  /** Opt-outs and complaints. */
  const said = new Map<string, Place>()
  /** Mailboxes that do not exist: nobody said no. */
  const bounced = new Map<string, Place>()
  const note = (map: Map<string, Place>, address: string | null, how: string) => {
    if (address !== null && !map.has(address)) map.set(address, { ...place(), how })
  }

  /** An address said no, and with it every guest who is known by it. */
  function no(address: string, how: string): void {
    note(said, address, how)
    for (const guest of guests)
      if (guest.contacts.has(address)) note(said, address.includes('@') ? guest.email : guest.phone, how)
  }

  /** One guest became part of another, who is now written to at these addresses. */
  function merged(kept: ModelGuest, gone: ModelGuest, now: Pick<ModelGuest, 'email' | 'phone'>): void {
    Object.assign(kept, now)
    for (const contact of gone.contacts) kept.contacts.add(contact)
    guests.splice(guests.indexOf(gone), 1)
    for (const contact of kept.contacts) if (said.has(contact)) no(contact, 'a merge')
  }

  const isBefore = (at: Place | undefined, { channel }: Taken, nth: number) =>
    at !== undefined && nth >= (channel === 'email' ? at.mails : at.texts)

  /** What is wrong with the nth message of its ledger, which left on that way; null: nothing. */
  function wrongWith(taken: Taken, nth: number, way: Way): string | null {
    const { address, channel } = taken
    if (isBefore(said.get(address), taken, nth))
      return `${channel} to ${address}, who said no by ${said.get(address)?.how}`
    if (isBefore(bounced.get(address), taken, nth)) return `${channel} to ${address}, which bounced`
    if (channel === way.channel) return null
    const theirs = guests.filter((guest) => addressOf(guest, channel) === address)
    const allSaidNo = theirs.every((guest) =>
      isBefore(said.get(addressOf(guest, way.channel) ?? ''), taken, nth),
    )
    return theirs.length > 0 && allSaidNo ? `${channel} to ${address}, round a no by ${way.channel}` : null
  }

  /** The guests who must have got a message on that way by now: reachable, and without any no. */
  function owed({ channel, fallback }: Way): ModelGuest[] {
    return guests.filter((guest) => {
      const [first, second] = [addressOf(guest, channel), addressOf(guest, fallback)]
      if (first !== null && said.has(first)) return false
      if (first !== null && !bounced.has(first)) return true
      return second !== null && !said.has(second) && !bounced.has(second)
    })
  }

  const hasSaid = (guest: ModelGuest) =>
    [guest.email, guest.phone].some((own) => own !== null && said.has(own))
  const bounce = (address: string) => note(bounced, address, 'bounce')
  return { guests, said, bounced, no, bounce, merged, wrongWith, owed, hasSaid }
}
