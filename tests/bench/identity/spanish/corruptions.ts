import type { Random } from '../../../fakes/pms/random'
import { anotherMailbox, anotherPhone, type Guest, type Registry } from './guests'
import { plain } from './names'
import type { Corruption, Draft } from './records'

/** Changes the draft, or returns false where there is nothing to change. */
type Change = (draft: Draft, guest: Guest, random: Random, registry: Registry) => boolean

// What people are called, by ear: not the shipped table, which would only find itself again.
const CALLED: Record<string, string> = {
  jose: 'Pepe Pepe Pepe Jose Pepito Josele',
  francisco: 'Paco Paco Fran Fran Curro Kiko Quico Paquito',
  antonio: 'Toni Toni Antoñito Toño',
  manuel: 'Manolo Manolo Manu Manu Lolo Manolito',
  ignacio: 'Nacho Nacho Nacho Iñaki',
  jesus: 'Chus Suso Jesusín',
  enrique: 'Quique Kike',
  eduardo: 'Edu Edu Lalo',
  rafael: 'Rafa Rafa Rafi',
  javier: 'Javi Javi Xavi',
  miguel: 'Migue Miki Miguelito',
  joaquin: 'Quim Ximo Quino Joaqui',
  alejandro: 'Álex Ale Jandro',
  alejandra: 'Álex Ale Sandra',
  fernando: 'Fer Nando',
  guillermo: 'Guille Guille Willy',
  alberto: 'Berto Albert',
  roberto: 'Rober Rober Berto',
  sergio: 'Sergi Checho',
  santiago: 'Santi Santi Yago Chago',
  vicente: 'Vicen Tente Vicent',
  gregorio: 'Goyo',
  federico: 'Fede',
  ricardo: 'Richi Ricky',
  gonzalo: 'Gonza Chalo',
  salvador: 'Salva Boro',
  sebastian: 'Sebas Chano',
  daniel: 'Dani Dani',
  david: 'Davi',
  pedro: 'Perico Pere',
  juan: 'Juanito Joan Juanín',
  jorge: 'Jordi Coque',
  luis: 'Luisito Lucho Lluís',
  carlos: 'Charly Carlitos Carles',
  andres: 'Andreu Andresito',
  maria: 'Mari Maruja Marieta',
  dolores: 'Lola Lola Loli Lolita',
  rosario: 'Charo Charo Rosarito',
  concepcion: 'Concha Conchi Conchita',
  josefa: 'Pepa Pepi Fina',
  francisca: 'Paca Paqui Paquita Fran',
  isabel: 'Isa Isabelita Chabela',
  mercedes: 'Merche Merche Merce',
  teresa: 'Tere Maite Teresita',
  encarnacion: 'Encarna Encarni',
  consuelo: 'Chelo Consu',
  pilar: 'Pili Pili Pilarín Piluca',
  montserrat: 'Montse Montse Monse',
  inmaculada: 'Inma Inma Macu',
  purificacion: 'Puri',
  remedios: 'Reme',
  asuncion: 'Asun',
  beatriz: 'Bea Bea Beti',
  cristina: 'Cris Cris Tina',
  manuela: 'Manoli Manola',
  antonia: 'Toñi Antoñita Toni',
  carmen: 'Mamen Carmela Menchu Carmenchu Carmina',
  margarita: 'Marga Margot',
  milagros: 'Mila Mili',
  soledad: 'Sole Marisol',
  susana: 'Susi Su',
  silvia: 'Silvi',
  patricia: 'Patri Patri Paty',
  natalia: 'Nati Nata',
  esperanza: 'Espe',
  ana: 'Anita Ani',
  laura: 'Lau Laurita',
  elena: 'Helena Nena',
  victoria: 'Vicky Vicky Viki',
  yolanda: 'Yoli',
  begona: 'Bego',
  amparo: 'Amparito',
  william: 'Bill Will Billy',
  robert: 'Bob Rob Bobby',
  richard: 'Rick Dick Rich',
  james: 'Jim Jimmy',
  michael: 'Mike Mick',
  thomas: 'Tom Tommy',
  edward: 'Ed Ted',
  elizabeth: 'Liz Beth Betty',
  margaret: 'Maggie Peggy',
  catherine: 'Kate Cathy',
  joao: 'Juan Joãozinho',
  nicholas: 'Nick',
  christopher: 'Chris',
  jennifer: 'Jen Jenny',
  patrick: 'Paddy',
}
const CALLED_BY_BOTH: Record<string, string> = {
  'jose maria': 'Chema Txema Josemari',
  'jose luis': 'Joselu Pepe',
  'jose manuel': 'Josema Chema',
  'jose antonio': 'Josan Pepe',
  'jose ramon': 'Joserra Moncho',
  'juan jose': 'Juanjo',
  'juan carlos': 'Juanca',
  'juan manuel': 'Juanma',
  'juan francisco': 'Juanfran',
  'juan antonio': 'Juanan',
  'juan luis': 'Juanlu',
  'juan pablo': 'Juampa',
  'luis miguel': 'Luismi',
  'miguel angel': 'Miguelan Migue',
  'francisco javier': 'Javi Fran Javier',
  'victor manuel': 'Víctor',
  'maria teresa': 'Maite Marité Mayte',
  'maria carmen': 'Maricarmen Mamen Mayka',
  'maria luisa': 'Marisa Luisa',
  'maria isabel': 'Maribel Isabel',
  'maria dolores': 'Lola Mariló Loli',
  'maria jose': 'Mariajo Majo Pepa',
  'maria jesus': 'Chus Susi',
  'maria angeles': 'Marian Ángeles Nines',
  'maria pilar': 'Pilar Pili Mapi',
  'maria mar': 'Marimar Mar',
  'maria victoria': 'Mariví Vicky',
  'maria rosario': 'Charo',
  'maria soledad': 'Marisol',
  'maria elena': 'Malena Elena',
  'maria concepcion': 'Concha Conchi',
  'maria antonia': 'Toñi',
  'ana maria': 'Anamari Ana',
  'ana isabel': 'Anabel Ana',
  'ana belen': 'Anabel Ana',
  'rosa maria': 'Rosa Rosamari',
}
// Abbreviations that a pen saves ink with.
const SHORT: Record<string, string> = {
  francisco: 'Fco.',
  maria: 'Mª',
  antonio: 'Ant.',
  fernando: 'Fdo.',
  jose: 'J.',
}

function nickname(draft: Draft, guest: Guest, random: Random): boolean {
  const words = guest.given.map(plain).filter((word) => word !== 'del')
  const whole = CALLED_BY_BOTH[words.join(' ')]
  const one = CALLED[words[0] ?? '']
  if (whole && words.length > 1) draft.given = [random.pick(whole.split(' '))]
  else if (one) draft.given = [random.pick(one.split(' '))]
  // The shortest nickname is the beginning: Gabi, Agus.
  else if ((words[0]?.length ?? 0) > 5) draft.given = [(guest.given[0] ?? '').slice(0, random.int(3, 4))]
  else return false
  return true
}

const NEIGHBOURS: Record<string, string> = {
  a: 'sqz', b: 'vn', c: 'xv', d: 'sf', e: 'rw', f: 'dg', g: 'fh', h: 'gj', i: 'uo', j: 'hk', k: 'jl', l: 'k', m: 'n', n: 'mb',
  o: 'ip', p: 'o', q: 'w', r: 'et', s: 'adz', t: 'ry', u: 'yi', v: 'bc', w: 'qe', x: 'zc', y: 'tu', z: 'xs',
} // biome-ignore format: one line a row of keys

/** One slip of the keyboard: a neighbour, a letter lost or doubled. The first letter stays, as it mostly does. */
function slip(text: string, random: Random): string {
  const at = random.int(1, Math.max(1, text.length - 1))
  const letter = text[at] ?? ''
  return random.weighted<() => string>([
    [
      () =>
        text.slice(0, at) + random.pick([...(NEIGHBOURS[letter.toLowerCase()] ?? 'e')]) + text.slice(at + 1),
      0.45,
    ],
    [() => text.slice(0, at) + text.slice(at + 1), 0.35],
    [() => text.slice(0, at) + letter + text.slice(at), 0.2],
  ])()
}

function transpose(text: string, random: Random): string {
  if (text.length < 4) return text
  const at = random.int(1, text.length - 2)
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
}

/** Applies a slip to the given name or to a surname, whichever is long enough. */
function inName(draft: Draft, random: Random, change: (text: string, random: Random) => string): boolean {
  const parts: [string[], number][] = []
  for (const list of [draft.given, draft.surnames])
    list.forEach((word, index) => {
      if (word.length > 3) parts.push([list, index])
    })
  if (parts.length === 0) return false
  const [list, index] = random.pick(parts)
  const before = list[index] ?? ''
  list[index] = change(before, random)
  return list[index] !== before
}

function isDay(text: string): boolean {
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const digitsOf = (phone: string, prefix: number) => phone.slice(prefix)

const CHANGES: Record<
  Exclude<Corruption, 'cut at 20' | 'whole name in one field' | 'given and surname swapped'>,
  Change
> = {
  nickname,
  'no second surname': (draft) => {
    if (draft.surnames.length < 2) return false
    draft.surnames.length = 1
    return true
  },
  'surnames swapped': (draft, guest) => {
    if (guest.surnames.length < 2) return false
    draft.surnames = [...guest.surnames].reverse()
    return true
  },
  initials: (draft, _guest, random) => {
    const first = draft.given[0]
    if (!first || first.length < 3) return false
    const short = SHORT[plain(first)]
    draft.given =
      short && random.chance(0.5)
        ? [short, ...draft.given.slice(1)]
        : [draft.given.map((word) => `${word[0]}.`).join('')]
    return true
  },
  'surname only': (draft) => {
    draft.given = []
    return true
  },
  'given only': (draft) => {
    draft.surnames = []
    return true
  },
  'compound cut': (draft, guest, random) => {
    if (guest.given.length < 2 || draft.given.length < 2) return false
    draft.given = [random.chance(0.6) ? (draft.given[0] ?? '') : (draft.given.at(-1) ?? '')]
    return true
  },
  'letters transposed': (draft, _guest, random) => inName(draft, random, transpose),
  'letter wrong': (draft, _guest, random) => inName(draft, random, slip),
  'phone typo': (draft, _guest, random) => {
    if (!draft.phone) return false
    const prefix = draft.phone.length - 8
    const digits = digitsOf(draft.phone, prefix)
    const at = random.int(0, 7)
    const changed = random.chance(0.4)
      ? digits.slice(0, at) + digits.slice(at + 1) + random.int(0, 9)
      : random.chance(0.5)
        ? digits.slice(0, at) + ((Number(digits[at]) + random.int(1, 9)) % 10) + digits.slice(at + 1)
        : transpose(digits, random)
    draft.phone = draft.phone.slice(0, prefix) + changed
    return changed !== digits
  },
  'phone changed': (draft, guest, random, registry) => {
    draft.phone = anotherPhone(random, registry, guest)
    return true
  },
  // +44 7911 123456 booked as a national number becomes +34 7911…; the digits after the prefix stay.
  'phone without its country': (draft) => {
    if (draft.phone === '' || draft.phone.startsWith('+34')) return false
    draft.phone = `+34${draft.phone.replace(/^\+(44|351|33)/, '')}`
    return true
  },
  'phone blank': (draft) => {
    draft.phone = ''
    return true
  },
  'e-mail typo': (draft, guest, random) => {
    const [local = '', domain = ''] = guest.mailbox.split('@')
    const wrong = random.chance(0.3)
      ? random.pick([
          domain.replace('.com', '.con'),
          domain.replace('mail', 'mial'),
          domain.replace('.', ''),
          slip(domain, random),
        ])
      : domain
    draft.email =
      wrong === domain
        ? `${random.chance(0.4) ? transpose(local, random) : slip(local, random)}@${domain}`
        : `${local}@${wrong}`
    return draft.email !== guest.mailbox && /@[^.@]+\.[^@]+$/.test(draft.email)
  },
  'e-mail changed': (draft, guest, random, registry) => {
    draft.email = anotherMailbox(random, registry, guest)
    return true
  },
  'e-mail +suffix': (draft, guest, random) => {
    const [local = '', domain = ''] = guest.mailbox.split('@')
    draft.email = `${local}+${random.pick(['reservas', 'resto', 'cena', '1', '2', 'spam'])}@${domain}`
    return true
  },
  'e-mail blank': (draft) => {
    draft.email = ''
    return true
  },
  'birth date typo': (draft, _guest, random) => {
    const [year = '', month = '', day = ''] = draft.birth.split('-')
    if (!draft.birth) return false
    draft.birth = random.weighted<() => string>([
      // Day and month the other way round, where both are months.
      [() => (Number(day) <= 12 ? `${year}-${day}-${month}` : draft.birth), 0.4],
      [() => `${Number(year) + random.pick([-10, -1, 1, 10])}-${month}-${day}`, 0.35],
      [() => `${year}-${month}-${String((Number(day) % 28) + 1).padStart(2, '0')}`, 0.25],
    ])()
    return draft.birth !== `${year}-${month}-${day}` && isDay(draft.birth)
  },
}

// What goes wrong with a booking, in parts: the name as the host heard it first, then what the guest wrote.
const NAME_CHANGES: readonly (readonly [keyof typeof CHANGES, number])[] = [
  ['no second surname', 28],
  ['nickname', 22],
  ['compound cut', 8],
  ['letter wrong', 10],
  ['letters transposed', 6],
  ['initials', 8],
  ['surnames swapped', 5],
  ['surname only', 7],
  ['given only', 4],
]
// The base has one record a mailbox, so a second record of a person comes without it, or with another one.
const MAIL_CHANGES: readonly (readonly [keyof typeof CHANGES, number])[] = [
  ['e-mail blank', 45],
  ['e-mail changed', 22],
  ['e-mail typo', 20],
  ['e-mail +suffix', 13],
]
const PHONE_CHANGES: readonly (readonly [keyof typeof CHANGES, number])[] = [
  ['phone changed', 30],
  ['phone typo', 35],
  ['phone blank', 30],
  ['phone without its country', 5],
]

/**
 * Spoils the draft of a second record: always the mailbox (two records cannot have one), the name in three of four, the
 * phone in a third, the birth date in a twelfth. Leaves something to know the person by. Returns what it did.
 */
export function spoil(draft: Draft, guest: Guest, random: Random, registry: Registry): Corruption[] {
  const done: Corruption[] = []
  const apply = (kind: keyof typeof CHANGES) => {
    const before = { ...draft, given: [...draft.given], surnames: [...draft.surnames] }
    if (CHANGES[kind](draft, guest, random, registry)) done.push(kind)
    else Object.assign(draft, before)
  }
  if (random.chance(0.75)) apply(random.weighted(NAME_CHANGES))
  if (random.chance(0.15)) apply(random.weighted(NAME_CHANGES))
  const mail = draft.email ? random.weighted(MAIL_CHANGES) : 'e-mail blank'
  apply(mail)
  if (draft.email === guest.mailbox) draft.email = ''
  if (random.chance(0.33)) apply(random.weighted(PHONE_CHANGES))
  if (random.chance(0.08)) apply('birth date typo')
  return done
}
