import { readFileSync } from 'node:fs'
import type { Random } from '../../../fakes/pms/random'

/** How a guest is called, as their passport has it. */
export interface Name {
  /** The given names, one word each, particles included (María del Mar: 3 words). */
  given: string[]
  surnames: string[]
  woman: boolean
  country: Country
}

export type Country = 'es' | 'gb' | 'pt' | 'fr'

// The shipped figures, so that names are as common here as INE says; accents are put back below.
const FIGURES = readFileSync(
  new URL('../../../../supabase/schema/name_frequencies.sql', import.meta.url),
  'utf8',
)
const [givenFigures = [], surnameFigures = []] = [...FIGURES.matchAll(/\$names\$([^$]*)\$names\$/g)].map(
  ([, block = '']) =>
    [...block.matchAll(/([a-z]+) (\d+)/g)].map(([, name = '', share]) => [name, Number(share)] as const),
)

const words = (list: string) => list.split(' ')

// Most women's names end in -a; these do not, or are a man's that does.
const WOMEN = new Set(
  words(
    `carmen isabel dolores pilar angeles mercedes concepcion rosario raquel beatriz encarnacion rocio belen montserrat
    esther irene mar ines nieves soledad lourdes consuelo asuncion luz noemi milagros purificacion miriam remedios matilde
    amparo araceli ascension natividad paz leonor guadalupe jennifer reyes ruth adoracion ester mary miren elisabet piedad
    carme sarah judith susan margaret sagrario judit leire elisabeth dolors karen anne ann consolacion jane christine
    desamparados jacqueline felicidad caridad socorro itziar maite saray conceicao angustias roser julie neus monserrat
    virtudes meritxell louise alice iris michelle catherine claire ane salud estibaliz marie angels dulce nazaret jenifer
    edurne janet leyre lurdes marisol rachel coral izaskun loreto ingrid celeste hannah charlotte alison emily flor sophie
    clotilde amy joanne nancy presentacion irati salome gertrudis elizabeth deborah helen anabel carol sol cruz trinidad`.replace(
      /\s+/g,
      ' ',
    ),
  ),
)
const MEN = new Set(words('borja luca bautista mustafa nikita joshua elia costa garcia jokin andrea'))

const isWoman = (name: string) => WOMEN.has(name) || (name.endsWith('a') && !MEN.has(name))

/** Draws by weight from a long list: one binary search a draw. */
function sampler(items: readonly (readonly [string, number])[]): (random: Random) => string {
  const sums: number[] = []
  let total = 0
  for (const [, weight] of items) {
    total += weight
    sums.push(total)
  }
  return (random) => {
    const at = random.next() * total
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > at) high = middle
      else low = middle + 1
    }
    return items[low]?.[0] ?? ''
  }
}

// María and José are mostly halves of a compound name, which is drawn by itself.
const single = givenFigures.map(([name, share]) =>
  name === 'maria' || name === 'jose' ? ([name, share / 4] as const) : ([name, share] as const),
)
const drawWoman = sampler(single.filter(([name]) => isWoman(name)))
const drawMan = sampler(single.filter(([name]) => !isWoman(name)))
const drawSurname = sampler(surnameFigures)

const MENS_COMPOUNDS = `José Antonio|José Luis|Juan Carlos|José Manuel|Juan José|Francisco Javier|Juan Antonio|Miguel Ángel|José María|Juan Manuel|Luis Miguel|José Miguel|Víctor Manuel|Juan Francisco|José Ángel|José Ramón|Jesús María|José Ignacio|Juan Pablo|Pedro José|Juan Luis|José Francisco|Juan Ramón|Carlos Alberto|Luis Alberto|José Vicente|José Carlos|Juan Miguel|José Alberto|Antonio José`
const WOMENS_COMPOUNDS = `María del Carmen|María Dolores|María Pilar|Ana María|María Teresa|María José|María Ángeles|María Isabel|María Luisa|María Jesús|Ana Isabel|María Mercedes|Rosa María|María Victoria|María Elena|María del Mar|María Rosario|Eva María|María Concepción|María Antonia|María Josefa|Ana Belén|María Cristina|María Soledad|María Eugenia|María Nieves|María Paz|María Begoña|María Rosa|María Inmaculada`

const MIDDLES = `Alba Ainhoa Andrea Clara Elena Irene Jimena`
const NAMES = {
  gb: {
    man: words(
      'James John David Michael Robert Paul Andrew Peter Thomas William Mark Stephen Richard Daniel Matthew Christopher Anthony Edward George Joseph Benjamin Samuel Nicholas Alexander Jonathan Philip Timothy Kevin Ian Simon Martin Oliver Jack Harry Charles Gregory Kenneth Ronald Patrick Frederick',
    ),
    woman: words(
      'Susan Margaret Sarah Karen Elizabeth Patricia Deborah Linda Angela Jane Mary Emma Claire Nicola Rebecca Victoria Laura Catherine Jennifer Michelle Alison Joanne Louise Amy Charlotte Lisa Hannah Jessica Samantha Rachel Lucy Sophie Emily Olivia Alice Anne Barbara Pamela Christine Katherine',
    ),
    surname: words(
      "Smith Jones Williams Taylor Brown Davies Evans Thomas Wilson Roberts Johnson Robinson Wright Thompson Walker White Edwards Green Hall Wood Harris Hughes Lewis Clarke Turner Hill Cooper Scott Ward Moore Morris King Baker Harrison Allen Mitchell Phillips Watson Bennett Cook Shaw Richardson Carter Price Griffiths Collins Miller Marshall Ellis Simpson Webb Rogers Murphy Mason Hunt O'Brien Whitaker Pemberton Ashworth Thistlewood Haversham Lockwood Ainsworth Bickerton Cholmondeley Fairbrother",
    ),
  },
  pt: {
    man: words(
      'João José António Manuel Carlos Luís Paulo Pedro Francisco Rui Nuno Miguel Ricardo Jorge Fernando Joaquim Tiago Bruno André Diogo Filipe Vítor Gonçalo Duarte Tomás Rodrigo Afonso',
    ),
    woman: words(
      'Maria Ana Isabel Fátima Teresa Paula Cristina Sofia Catarina Manuela Helena Rita Sandra Carla Marta Patrícia Susana Margarida Joana Inês Mariana Beatriz Carolina Luísa Conceição',
    ),
    surname: words(
      'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Fernandes Gonçalves Gomes Lopes Marques Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Correia Mendes Nunes Soares Vieira Monteiro Cardoso Rocha Neves Coelho Cunha Pires Simões Antunes Matos Fonseca Figueiredo Azevedo Guimarães Magalhães Vasconcelos Quintela',
    ),
  },
  fr: {
    man: words(
      'Jean Pierre Michel Philippe Nicolas Christophe Laurent Frédéric Stéphane Thomas Julien Alexandre Guillaume Antoine François Sébastien Vincent Jacques Olivier Benoît Jean-Pierre Jean-Luc Jean-Marc',
    ),
    woman: words(
      'Marie Nathalie Isabelle Sylvie Catherine Sandrine Valérie Sophie Céline Julie Camille Anne Hélène Claire Aurélie Émilie Véronique Stéphanie Mathilde Élodie Anne-Sophie Marie-Laure',
    ),
    surname: words(
      'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garcia David Bertrand Roux Vincent Fournier Morel Girard André Mercier Dupont Lambert Bonnet François Martinez Legrand Garnier Faure Rousseau Blanc Guérin Muller Chevalier Delacroix Beaumont Fontenelle',
    ),
  },
}

// A quarter of all surnames are outside the commonest 1,500, and each of them is rare.
const RARE_BEGINNINGS = words(
  'Etxe Goi Mendi Iri Aran Urru Zubi Larra Beas Olaz Valde Villa Fuen Monte Peña Torre Casti Cama Barra Sarra Gala Mora Tala Reba Caba Escala Arti Bala Guar Puig',
)
const RARE_ENDINGS = words(
  'berria garai zabala koetxea rieta guren eta mendi gorri llada nueva lonso franca robledo hermosa quemada maño ntero vieja lar noves sell fort gros redona ceda zuela breda tilla rejo nchez driano llón zares',
)

const ACCENTED = new Map(
  words(
    `garcia:García diaz:Díaz leon:León martin:Martín marin:Marín munoz:Muñoz pena:Peña cortes:Cortés duran:Durán
    roman:Román calderon:Calderón roldan:Roldán beltran:Beltrán guzman:Guzmán millan:Millán alarcon:Alarcón rincon:Rincón
    santamaria:Santamaría avila:Ávila alvarez:Álvarez aleman:Alemán rios:Ríos macias:Macías galvez:Gálvez galan:Galán barragan:Barragán
    farina:Fariña castaneda:Castañeda zuniga:Zúñiga acuna:Acuña banos:Baños solis:Solís garces:Garcés tomas:Tomás
    jose:José jesus:Jesús angel:Ángel ramon:Ramón maria:María victor:Víctor ruben:Rubén cesar:César adrian:Adrián
    raul:Raúl andres:Andrés joaquin:Joaquín sebastian:Sebastián hector:Héctor oscar:Óscar ivan:Iván alvaro:Álvaro
    felix:Félix nicolas:Nicolás julian:Julián agustin:Agustín fermin:Fermín inigo:Íñigo inaki:Iñaki german:Germán
    rocio:Rocío belen:Belén lucia:Lucía sofia:Sofía ines:Inés begona:Begoña monica:Mónica veronica:Verónica angela:Ángela
    concepcion:Concepción encarnacion:Encarnación asuncion:Asunción purificacion:Purificación ascension:Ascensión
    barbara:Bárbara debora:Débora fatima:Fátima africa:África maria:María valentin:Valentín ramirez:Ramírez`.replace(
      /\s+/g,
      ' ',
    ),
  ).map((pair) => pair.split(':') as [string, string]),
)

/** A name as it is written: García, Fernández, Núñez. */
function written(name: string): string {
  const known = ACCENTED.get(name)
  if (known) return known
  const shown = /^.*[aeiou][a-z]*[aeiou].*ez$/.test(name)
    ? name.replace(
        /([aeiou])([^aeiou]+ez)$/,
        (_, vowel: string, rest: string) => 'áéíóú'['aeiou'.indexOf(vowel)] + rest,
      )
    : name
  const ending = shown
    .replace(/^nú(?=nez$)/, 'nú')
    .replace(/nez$/, /^(nú|ib[áa]|yá|ord[óo])/.test(shown) ? 'ñez' : 'nez')
  return ending.charAt(0).toUpperCase() + ending.slice(1)
}

/** Draws how someone is called: nine of ten are Spanish, as in a group of restaurants in Spain. */
export function drawName(random: Random, country: Country = drawCountry(random)): Name {
  const woman = random.chance(0.5)
  return { given: drawGiven(random, woman, country), surnames: drawSurnames(random, country), woman, country }
}

function drawCountry(random: Random): Country {
  return random.weighted([
    ['es', 0.9],
    ['gb', 0.05],
    ['pt', 0.03],
    ['fr', 0.02],
  ])
}

/** Given names; INE: about a fifth have a compound one. */
export function drawGiven(random: Random, woman: boolean, country: Country = 'es'): string[] {
  if (country !== 'es') return [random.pick(NAMES[country][woman ? 'woman' : 'man'])]
  if (random.chance(0.22)) {
    const compounds = (woman ? WOMENS_COMPOUNDS : MENS_COMPOUNDS).split('|')
    // The first of the list are the commonest by far.
    return words(compounds[Math.floor(random.next() ** 2 * compounds.length)] ?? '')
  }
  const first = written((woman ? drawWoman : drawMan)(random))
  return woman && random.chance(0.02) ? [first, random.pick(words(MIDDLES))] : [first]
}

/** Spaniards and Portuguese have two surnames. */
function drawSurnames(random: Random, country: Country = 'es'): string[] {
  if (country === 'es') return [drawOneSurname(random), drawOneSurname(random)]
  const list = NAMES[country].surname
  if (country === 'pt') return [random.pick(list), random.pick(list)]
  return [random.pick(list)]
}

function drawOneSurname(random: Random): string {
  if (random.chance(0.23)) return random.pick(RARE_BEGINNINGS) + random.pick(RARE_ENDINGS)
  const name = written(drawSurname(random))
  return random.chance(0.012) ? `de la ${name}` : name
}

/** One of the thirty commonest surnames, for namesakes. */
export function drawCommonSurname(random: Random): string {
  return written(surnameFigures[Math.floor(random.next() ** 1.5 * 30)]?.[0] ?? '')
}

/** Without accents, lower case, letters only: for addresses. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}
