import type { Random } from '../../../fakes/pms/random'
import { drawCompany, drawGuest, type Guest, type Registry } from './guests'
import { drawCommonSurname, drawGiven, drawName, plain } from './names'
import type { Trap } from './records'

/** People who are easily taken for one another, and the fields that each of their records must show to tell them apart. */
export interface Circle {
  trap: Trap
  guests: Guest[]
  /** What tells them apart beyond the name: their records show it, or nobody could know. */
  shows: 'birth' | 'second surname' | null
}

type Draw = (random: Random, registry: Registry) => Circle

const draws: Record<Trap, Draw> = {
  // Two names, one phone or one mailbox, one home.
  couple: (random, registry) => {
    const one = drawGuest(random, registry)
    const other = drawGuest(random, registry, {
      given: drawGiven(random, !one.woman, one.country),
      woman: !one.woman,
      country: one.country,
      address: one.address,
      ...shared(random, one),
      ...(one.country === 'gb' ? { surnames: one.surnames } : {}),
    })
    return { trap: 'couple', guests: [one, other], shows: null }
  },
  // Both parents and the children, who have the first surname of each.
  family: (random, registry) => {
    const father = drawGuest(random, registry, {
      country: 'es',
      birth: dayIn(random, random.int(1945, 1978)),
    })
    const home = { country: 'es' as const, address: father.address }
    const mother = drawGuest(random, registry, { ...home, ...shared(random, father) })
    const surnames = [father.surnames[0] ?? '', mother.surnames[0] ?? '']
    const born = Number(father.birth.slice(0, 4)) + random.int(24, 34)
    const child = (born: number, given: string[]) =>
      drawGuest(random, registry, {
        ...home,
        given,
        surnames,
        birth: dayIn(random, born),
        ...shared(random, random.chance(0.5) ? father : mother),
      })
    const first = child(born, drawGiven(random, random.chance(0.5)))
    // Brothers and sisters have names of their own.
    const children = random.chance(0.5) ? [first] : [first, child(born + 3, anotherGiven(random, first))]
    return { trap: 'family', guests: [father, mother, ...children], shows: null }
  },
  siblings: (random, registry) => {
    const one = drawGuest(random, registry, { country: 'es' })
    const other = drawGuest(random, registry, {
      country: 'es',
      given: anotherGiven(random, one),
      surnames: one.surnames,
      birth: dayIn(random, Number(one.birth.slice(0, 4)) + random.int(1, 9)),
      ...(random.chance(0.4) ? { address: one.address } : {}),
      ...(random.chance(0.3) ? shared(random, one) : {}),
    })
    return { trap: 'siblings', guests: [one, other], shows: null }
  },
  // The same day and the same surnames; parents like names that begin alike.
  twins: (random, registry) => {
    const one = drawGuest(random, registry, { country: 'es' })
    const other = drawGuest(random, registry, {
      country: 'es',
      given: anotherGiven(random, one),
      surnames: one.surnames,
      birth: one.birth,
      address: one.address,
      ...(random.chance(0.35) ? shared(random, one) : {}),
    })
    return { trap: 'twins', guests: [one, other], shows: null }
  },
  // One name over two generations, on one phone. Without a birth date or a second surname nobody could tell them apart.
  'parent and child': (random, registry) => {
    const parent = drawGuest(random, registry, {
      country: 'es',
      birth: dayIn(random, random.int(1942, 1972)),
    })
    const born = Number(parent.birth.slice(0, 4)) + random.int(19, 36)
    const child = drawGuest(random, registry, {
      country: 'es',
      given: parent.given,
      woman: parent.woman,
      surnames: [parent.surnames[0] ?? '', besides(parent, () => drawName(random, 'es').surnames[0] ?? '')],
      birth: dayIn(random, born),
      ...(random.chance(0.5) ? { address: parent.address } : {}),
      ...(random.chance(0.85) ? { phone: parent.phone } : shared(random, parent)),
    })
    return {
      trap: 'parent and child',
      guests: [parent, child],
      shows: random.chance(0.5) ? 'birth' : 'second surname',
    }
  },
  // Colleagues: the mailbox of the office with a +suffix, or the switchboard.
  company: (random, registry) => {
    const first = drawGuest(random, registry)
    const { company, domain } = drawCompany(random, first.surnames[0] ?? '')
    const mailbox = registry.mailbox(
      random,
      random.pick(['reservas', 'info', 'secretaria', 'oficina', 'administracion']),
      domain,
    )
    const switchboard = registry.phone(random, 'es')
    const office = (): Partial<Guest> => ({
      company,
      ...(random.chance(0.7) ? { mailbox } : {}),
      ...(random.chance(0.5) ? { phone: switchboard } : {}),
    })
    const guests = Array.from({ length: random.int(2, 6) }, () => drawGuest(random, registry, office()))
    return { trap: 'company', guests, shows: null }
  },
  // María García López and María García López: nothing in common but the name.
  namesakes: (random, registry) => {
    const woman = random.chance(0.5)
    const given = drawGiven(random, woman)
    const surnames = [drawCommonSurname(random), drawCommonSurname(random)]
    const like = { country: 'es' as const, woman, given, surnames }
    return {
      trap: 'namesakes',
      guests: Array.from({ length: random.int(2, 3) }, () => drawGuest(random, registry, like)),
      shows: null,
    }
  },
  // A hotel's desk or an assistant books for many, with its own number and sometimes its own mailbox.
  concierge: (random, registry) => {
    const desk = drawGuest(random, registry)
    const guests = Array.from({ length: random.int(4, 12) }, () =>
      drawGuest(random, registry, {
        phone: desk.phone,
        ...(random.chance(0.4) ? { mailbox: desk.mailbox } : {}),
      }),
    )
    return { trap: 'concierge', guests, shows: null }
  },
  // The operator gave the number to somebody else.
  'recycled phone': (random, registry) => {
    const one = drawGuest(random, registry)
    return {
      trap: 'recycled phone',
      guests: [one, drawGuest(random, registry, { phone: one.phone })],
      shows: null,
    }
  },
  // ana.garcia at one host and at another: two people of one name, with phones of their own.
  'alike mailbox': (random, registry) => {
    const one = drawGuest(random, registry, {
      country: 'es',
      surnames: [drawCommonSurname(random), drawCommonSurname(random)],
    })
    const [local = ''] = one.mailbox.split('@')
    const surnames = [one.surnames[0] ?? '', besides(one, () => drawCommonSurname(random))]
    const other = drawGuest(random, registry, {
      country: 'es',
      woman: one.woman,
      given: random.chance(0.5) ? one.given : sameInitial(random, one),
      surnames,
      mailbox: registry.mailbox(
        random,
        local,
        random.pick(['yahoo.es', 'outlook.es', 'hotmail.com', 'icloud.com']),
      ),
    })
    return { trap: 'alike mailbox', guests: [one, other], shows: 'second surname' }
  },
}

export const TRAPS = Object.keys(draws) as Trap[]

// Of the circles around a restaurant's guests, by guess: homes and offices are common, twins and namesakes are not.
const SHARES: Record<Trap, number> = {
  couple: 26,
  family: 16,
  siblings: 9,
  twins: 3,
  'parent and child': 9,
  company: 10,
  namesakes: 10,
  concierge: 4,
  'recycled phone': 8,
  'alike mailbox': 5,
}

/** Draws a circle of the kind, or of any kind as common as it is. */
export function drawCircle(random: Random, registry: Registry, trap?: Trap): Circle {
  return draws[trap ?? random.weighted(TRAPS.map((kind) => [kind, SHARES[kind]]))](random, registry)
}

/** What two of a household have in common: the phone, the mailbox, or both. */
function shared(random: Random, one: Guest): Partial<Guest> {
  return random.weighted<Partial<Guest>>([
    [{ phone: one.phone }, 0.4],
    [{ mailbox: one.mailbox }, 0.25],
    [{ phone: one.phone, mailbox: one.mailbox }, 0.2],
    [{}, 0.15],
  ])
}

function dayIn(random: Random, year: number): string {
  return new Date(Date.UTC(year, 0, random.int(1, 365))).toISOString().slice(0, 10)
}

function anotherGiven(random: Random, one: Guest): string[] {
  if (random.chance(0.3)) return sameInitial(random, one)
  for (;;) {
    const given = drawGiven(random, random.chance(0.5))
    if (plain(given[0] ?? '') !== plain(one.given[0] ?? '')) return given
  }
}

/** Draws until it is not their second surname, which has to tell the two apart. */
function besides({ surnames }: Guest, draw: () => string): string {
  for (;;) {
    const surname = draw()
    if (plain(surname) !== plain(surnames[1] ?? '')) return surname
  }
}

/** Another given name with the same first letter, if one is drawn soon. */
function sameInitial(random: Random, one: Guest): string[] {
  let given = drawGiven(random, one.woman)
  const differs = () => plain(given[0] ?? '') !== plain(one.given[0] ?? '')
  for (let attempt = 0; attempt < 40; attempt++) {
    if (differs() && given[0]?.[0] === one.given[0]?.[0]) break
    given = drawGiven(random, one.woman)
  }
  return differs() ? given : [one.woman ? 'Penélope' : 'Leandro']
}
