import type { EmailLook } from '@/lib/email-design/look-schema'
import type { EmailDesign } from '@/lib/email-design/schema'

/** A whole number from 0 to n - 1. */
export type Draw = (n: number) => number

/** Numbers that are the same in every run. */
export function drawer(seed: number): Draw {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

export const pick = <T>(draw: Draw, list: readonly T[]): T => list[draw(list.length)] as T

/** Names that guests have, or are said to have. */
export const NAMES = [
  null,
  '',
  ' ',
  'ANA',
  'maría josé',
  'عمر',
  '🍷 Pía',
  'Ñoño',
  'www.oferta.example',
  'J.R.',
  '<b>Leo</b>',
  '"; --',
]

/** The variables that exist for nobody. */
const UNKNOWN = ['nombre', 'puntos', 'first_name.nick']
export const hasUnknown = (text: string): boolean => UNKNOWN.some((name) => text.includes(`{{ ${name} }}`))

const WORDS = [
  ...[
    'Hola {{ first_name }}, ',
    '{{ first_name }}, ',
    '¡{{ full_name }}! ',
    'Buenas, {{ last_name }}: ',
    'Hola ',
  ],
  ...['{{ first_name | default: "amigo" }}, ', '{% if first_name != "" %}{{ first_name }}{% endif %}', ''],
  ...[
    '{{ tier }}',
    '{{ last_visit }} ',
    'te esperamos en {{ location_name }}.',
    '{{ nombre }}',
    'tienes {{ puntos }} puntos',
  ],
  ...[
    '{{ birthday }}',
    '😀',
    'https://casa.example/?a=1&b=<x>',
    '{{ first_name.nick }}',
    '{{ first_name | upcase }}',
  ],
]
const LONG = [
  'Desoxirribonucleico'.repeat(6),
  `https://casa.example/${'carta-'.repeat(40)}?a=1&b=2`,
  'مرحبا بكم في مطعمنا، نحن سعداء بزيارتكم',
  'Ven.\n\nTe guardamos mesa.\nY el postre.',
  'قهوة y té. ',
]
const LINKS = [
  'https://casa.example/',
  'https://casa.example/?nombre={{ first_name }}',
  `https://casa.example/${'a/'.repeat(200)}`,
  'mailto:hola@casa.example',
  'tel:+34600000001',
  '{{ tier }}',
  '',
]
const IMAGE = '00000000-0000-4000-8000-000000000000/11111111-0000-4000-8000-000000000000.png'

/** Up to so many pieces of text, some with holes, some of variables that do not exist. */
export const phrase = (draw: Draw, most: number, words: readonly string[] = WORDS): string =>
  Array.from({ length: draw(most + 1) }, () => pick(draw, words)).join('')

/** The same of variables that exist. */
export const knownPhrase = (draw: Draw, most: number): string =>
  phrase(
    draw,
    most,
    WORDS.filter((words) => !hasUnknown(words)),
  )

/** A design that the editor could make, with `body` as its first text. */
export function drawDesign(draw: Draw, body: string): EmailDesign {
  let blocks = 0
  const id = () => `b${blocks++}`
  const align = () => pick(draw, ['left', 'center'] as const)
  const words = () => (draw(4) === 0 ? pick(draw, LONG) : knownPhrase(draw, 2))
  const run = () => ({
    text: words(),
    ...(draw(3) === 0 ? { bold: true } : {}),
    ...(draw(4) === 0 ? { italic: true } : {}),
    ...(draw(4) === 0 ? { href: pick(draw, LINKS) } : {}),
  })
  const text = () => ({
    ...{ id: id(), type: 'text' as const, align: align() },
    runs: Array.from({ length: 1 + draw(3) }, run),
  })
  const image = () => ({
    ...{ id: id(), type: 'image' as const, path: pick(draw, [IMAGE, IMAGE, null]), width: 16 + draw(585) },
    ...{ alt: pick(draw, ['', 'El comedor', '{{ first_name }}']), href: pick(draw, [null, ...LINKS]) },
  })
  const button = () => ({
    ...{ id: id(), type: 'button' as const, align: align() },
    ...{
      label: pick(draw, ['Reservar', 'Reservar, {{ first_name }}', 'Ñ'.repeat(90), '']),
      href: pick(draw, LINKS),
    },
  })
  const inner = () => Array.from({ length: draw(3) }, () => pick(draw, [text, image, button])())
  const block = () =>
    pick(draw, [
      text,
      image,
      button,
      () => ({ id: id(), type: 'heading' as const, text: words().slice(0, 300), align: align() }),
      () => ({ id: id(), type: 'columns' as const, left: inner(), right: inner() }),
      () => ({ id: id(), type: 'divider' as const }),
      () => ({ id: id(), type: 'footer' as const, text: words() }),
    ])()
  return {
    preheader: knownPhrase(draw, 1),
    blocks: [
      {
        id: id(),
        type: 'text',
        align: 'left',
        runs: [{ text: body }, { text: '{{ first_name }}', bold: true }],
      },
      ...Array.from({ length: draw(6) }, block),
    ],
  }
}

/** Any two colours, with and without logo, sender and footer. */
export function drawLook(draw: Draw): EmailLook {
  const color = () => `#${Array.from({ length: 3 }, () => draw(256).toString(16).padStart(2, '0')).join('')}`
  const maybe = (value: string) => pick(draw, [null, value])
  return {
    ...{ logo: maybe(IMAGE), color: maybe(color()), button_color: maybe(color()) },
    ...{ sender_name: maybe('Casa Lumbre & Hijos'), from_email: null, reply_to: null },
    footer: pick(draw, [null, 'Calle Mayor 1, Madrid', 'www.casa.example/'.repeat(12), 'شارع ١']),
  }
}
