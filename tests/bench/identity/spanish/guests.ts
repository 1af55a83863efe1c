import type { Random } from '../../../fakes/pms/random'
import { type Country, drawName, type Name, plain } from './names'

/** A person, and all that a restaurant could know of them. */
export interface Guest extends Name {
  /** A record carries this number; equal numbers are the same person. */
  person: number
  birth: string
  mailbox: string
  /** E.164. */
  phone: string
  company: string
  job: string
  address: string
}

/** What takes care that two strangers have no mailbox and no mobile in common by chance. */
export class Registry {
  readonly #mailboxes = new Set<string>()
  readonly #phones = new Set<string>()
  #people = 0

  nextPerson(): number {
    this.#people += 1
    return this.#people
  }

  /** The address, or one with more digits when it is taken. For Gmail ana.ruiz@ and anaruiz@ are one mailbox. */
  mailbox(random: Random, local: string, domain: string): string {
    const key = (name: string) => `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
    let free = local
    while (this.#mailboxes.has(key(free))) free = `${local}${random.int(1, 999)}`
    this.#mailboxes.add(key(free))
    return `${free}@${domain}`
  }

  phone(random: Random, country: Country): string {
    let free = drawPhone(random, country)
    while (this.#phones.has(free)) free = drawPhone(random, country)
    this.#phones.add(free)
    return free
  }
}

// Spain: 6 and 7 are mobiles; one guest in twelve leaves a landline.
function drawPhone(random: Random, country: Country): string {
  const digits = (count: number) => String(random.int(0, 10 ** count - 1)).padStart(count, '0')
  switch (country) {
    case 'gb':
      return `+447${random.int(3, 9)}${digits(8)}`
    case 'pt':
      return `+3519${random.pick(['1', '2', '3', '6'])}${digits(7)}`
    case 'fr':
      return `+33${random.pick(['6', '7'])}${digits(8)}`
    default:
      if (random.chance(0.08)) return `+34${random.pick(['91', '93', '95', '96', '98', '94'])}${digits(7)}`
      return `+34${random.chance(0.9) ? '6' : '7'}${random.int(0, 9)}${digits(7)}`
  }
}

const DOMAINS: Record<Country, readonly (readonly [string, number])[]> = {
  // Shares as of consumer lists in Spain: Gmail leads, Hotmail is still second.
  es: [
    ['gmail.com', 58],
    ['hotmail.com', 17],
    ['hotmail.es', 4],
    ['yahoo.es', 6],
    ['outlook.es', 4],
    ['outlook.com', 3],
    ['icloud.com', 4],
    ['telefonica.net', 2],
    ['movistar.es', 2],
  ],
  gb: [
    ['gmail.com', 50],
    ['hotmail.co.uk', 15],
    ['btinternet.com', 10],
    ['outlook.com', 10],
    ['yahoo.co.uk', 10],
    ['icloud.com', 5],
  ],
  pt: [
    ['gmail.com', 65],
    ['hotmail.com', 20],
    ['sapo.pt', 15],
  ],
  fr: [
    ['gmail.com', 50],
    ['orange.fr', 20],
    ['free.fr', 15],
    ['wanadoo.fr', 10],
    ['laposte.net', 5],
  ],
}

const HANDLES =
  'mariposa sol luna chispa lobo trasgu pirata viajero gatita brujula tortuga nube estrella dragon verano duende pelusa'.split(
    ' ',
  )

/** What stands before the @, as people choose it; one in eight says nothing of the name. */
function drawLocalPart(
  random: Random,
  { given, surnames, birth }: Pick<Guest, 'given' | 'surnames' | 'birth'>,
): string {
  const first = plain(given[0] ?? '')
  const all = given.map(plain)
  const [one = '', two = ''] = surnames.map((surname) => plain(surname.replace(/^de la /, '')))
  const year = birth.slice(0, 4)
  return random.weighted<() => string>([
    [() => `${first}.${one}`, 16],
    [() => `${first}${one}`, 14],
    [() => `${first[0]}${one}`, 10],
    [() => `${first[0]}.${one}`, 5],
    [() => `${first}${one[0]}${two[0] ?? ''}`, 6],
    [() => `${first}_${one}`, 5],
    [() => `${first}${one}${year.slice(2)}`, 8],
    [() => `${first}${year}`, 5],
    [() => `${one}.${first}`, 4],
    [() => `${first}.${one}.${two || one}`, 6],
    [() => `${all.map((word) => word[0]).join('')}${one}${two[0] ?? ''}`, 5],
    [() => `${first.slice(0, 4)}${one.slice(0, 4)}${random.int(1, 99)}`, 4],
    [() => `${random.pick(HANDLES)}${random.int(1, 9999)}`, 12],
  ])()
}

const TRADES =
  'Consultores Abogados Logística Inmobiliaria Seguros Arquitectos Ingeniería Sistemas Clínica Bodegas'.split(
    ' ',
  )
const JOBS =
  'Directora comercial|Gerente|Abogada|Arquitecto|Médico|Profesora|Consultor|Ingeniero|Jefa de compras|CEO'.split(
    '|',
  )
const STREETS =
  'Mayor|Alcalá|Gran Vía|Serrano|de la Paz|Colón|San Juan|Aragón|Balmes|Real|Goya|Sol|Nueva|del Carmen'.split(
    '|',
  )

/** A domain of a company: gomezabogados.es. */
export function drawCompany(random: Random, surname: string): { company: string; domain: string } {
  const trade = random.pick(TRADES)
  const name = surname.replace(/^de la /, '')
  return {
    company: `${name} ${trade}${random.chance(0.5) ? ' SL' : ''}`,
    domain: `${plain(name)}${plain(trade)}.${random.chance(0.7) ? 'es' : 'com'}`,
  }
}

function drawAddress(random: Random): string {
  const province = random.pick(['28', '08', '46', '41', '29', '48', '50', '33'])
  return `C/ ${random.pick(STREETS)} ${random.int(1, 180)}, ${random.int(1, 9)}º ${random.pick(['A', 'B', 'C', 'D', 'izda', 'dcha'])}, ${province}${String(random.int(1, 60)).padStart(3, '0')}`
}

/** A day in the given years; one in fifty is the 1 January that somebody typed to fill the field. */
function drawBirth(random: Random, from = 1942, to = 2004): string {
  if (random.chance(0.02)) return `${random.pick(['1970', '1980', '1990', '1985'])}-01-01`
  const day = new Date(Date.UTC(random.int(from, to), 0, random.int(1, 365)))
  return day.toISOString().slice(0, 10)
}

/** Draws a stranger; `like` fixes what they have in common with someone. */
export function drawGuest(random: Random, registry: Registry, like: Partial<Guest> = {}): Guest {
  const name = { ...drawName(random, like.country), ...like }
  const birth = like.birth ?? drawBirth(random)
  const { company, domain } = drawCompany(random, name.surnames[0] ?? '')
  const works = random.chance(0.12)
  const mailbox =
    like.mailbox ??
    registry.mailbox(
      random,
      drawLocalPart(random, { ...name, birth }),
      works ? domain : random.weighted(DOMAINS[name.country]),
    )
  return {
    birth,
    company: works ? company : random.chance(0.08) ? drawCompany(random, name.surnames[0] ?? '').company : '',
    job: random.chance(0.06) ? random.pick(JOBS) : '',
    address: drawAddress(random),
    phone: registry.phone(random, name.country),
    ...name,
    ...like,
    mailbox,
    person: registry.nextPerson(),
  }
}

/** Another mailbox of the same person. */
export function anotherMailbox(random: Random, registry: Registry, guest: Guest): string {
  return registry.mailbox(random, drawLocalPart(random, guest), random.weighted(DOMAINS[guest.country]))
}

export function anotherPhone(random: Random, registry: Registry, guest: Guest): string {
  return registry.phone(random, guest.country)
}
