import { PLAIN, TRAPS } from './reply-phrases'

/** What a reply truly means; `person` is for someone to read. */
export type Truth = 'confirm' | 'cancel' | 'stop' | 'person'
export interface Reply {
  text: string
  truth: Truth
  language: 'es' | 'en'
  /** What Twilio's own opt-out makes of it. */
  optOutType?: 'STOP'
}

type Random = () => number
type Language = Reply['language']

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const BEFORE: Record<Language, Record<'confirm' | 'cancel', string[]>> = {
  es: {
    confirm: ['Hola, ', 'Hola! ', 'Buenas tardes. ', 'Buenas, ', 'Hola buenas, '],
    cancel: ['Hola, ', 'Lo siento, ', 'Buenas tardes, ', 'Perdona, ', 'Hola, lo siento mucho, '],
  },
  en: {
    confirm: ['Hi, ', 'Hello, ', 'Hi! ', 'Good morning, '],
    cancel: ['Hi, ', 'Sorry, ', 'So sorry, ', "Hello, I'm sorry, ", 'Unfortunately '],
  },
}
const AFTER: Record<Language, Record<'confirm' | 'cancel', string[]>> = {
  es: {
    confirm: [', gracias', '. Gracias!', ' 😊', ' muchas gracias', ', un saludo', ' por favor', '\nSaludos'],
    cancel: [', gracias', '. Lo siento', ' 😔', ' por favor', ', perdón', '. Muchas gracias', '\nUn saludo'],
  },
  en: {
    confirm: [', thanks', '. Thank you!', ' 😊', ' thanks a lot', ', cheers', '\nRegards'],
    cancel: [', sorry', '. Thank you', ' 😔', ' please', ', so sorry', '. Many thanks', '\nKind regards'],
  },
}

/** What turns a plain answer into one for a person: words before it, or after it. */
const TWISTS = {
  es: {
    confirm: {
      before: [],
      after:
        ', pero somos 5| a las 10|, y una persona más| si no llueve|, creo|? | el sábado|… o no| pero tarde' +
        '|, ¿a qué hora era?| 🙄| los 4| mañana|, salvo Ana| o no|, no sé| con perro',
    },
    cancel: {
      before: [
        'si ',
        'creo que ',
        'a lo mejor ',
        'no sé si ',
        '¿y si ',
        'Pepe dice: ',
        'no, no ',
        'quizá ',
        'no es que ',
      ],
      after:
        '?| el viernes| a las 9| mañana, pero pasado sí| y reservar otra| solo dos|, ¿no?| 3 de los 6| si llueve' +
        '| antes de las 10|, o sí|...| la trona|, es broma| 😂|, no, espera| en coche',
    },
  },
  en: {
    confirm: {
      before: [],
      after:
        ', but we are 5| at 10|, plus one more| if it is dry|, I think|?| on Saturday|... or not| but late' +
        '|, what time was it?| 🙄| all 4| tomorrow|, except Ana| or not| with a dog',
    },
    cancel: {
      before: [
        'if ',
        'I think ',
        'maybe ',
        'not sure if ',
        'what if ',
        'Joe says ',
        'no, no, ',
        "it's not that ",
        'yes, ',
      ],
      after:
        '?| on Friday| at 9| tomorrow, but Sunday yes| and rebook| just two|, right?| 3 of 6| if it rains' +
        '| before 10|, or yes|...| the cake|, just kidding| 😂|, no, wait',
    },
  },
}

/** So many replies, every second one a trap. */
export function generateReplies(count: number, random: Random): Reply[] {
  return Array.from({ length: count }, (_, n) => (n % 2 === 0 ? plainReply(random) : trapReply(random)))
}

function plainReply(random: Random): Reply {
  const language = random() < 0.6 ? 'es' : 'en'
  const draw = random()
  if (draw < 0.1) {
    const text = around(pick(PLAIN[language].stop, random), random)
    return { text, truth: 'stop', language, ...(random() < 0.5 ? { optOutType: 'STOP' as const } : {}) }
  }
  const truth = draw < 0.55 ? 'confirm' : 'cancel'
  const answer = pick(PLAIN[language][truth], random)
  const before = random() < 0.2 ? pick(BEFORE[language][truth], random) : ''
  const after = random() < 0.3 ? pick(AFTER[language][truth], random) : ''
  const text = typed(before + answer + after, random)
  return { text, truth, language, ...optOutOf(text) }
}

function trapReply(random: Random): Reply {
  const language = random() < 0.6 ? 'es' : 'en'
  const text = random() < 0.5 ? pick(TRAPS[language], random) : twisted(language, random)
  const shown = typed(text, random)
  return { text: shown, truth: 'person', language, ...optOutOf(shown) }
}

function twisted(language: Language, random: Random): string {
  const kind = random() < 0.35 ? 'confirm' : 'cancel'
  // Digits are for themselves: `si 2` is nothing that people write.
  const words = PLAIN[language][kind].filter((answer) => /\p{L}{2}/u.test(answer))
  const { before, after } = TWISTS[language][kind]
  const afters = after.split('|')
  const answer = pick(words, random)
  return random() * (before.length + afters.length) < before.length
    ? pick(before, random) + answer
    : answer + pick(afters, random)
}

/** Words that Twilio itself takes for an opt-out. */
const optOutOf = (text: string) =>
  /^\W*(cancel|end|quit|stopall)\W*$/i.test(text) ? { optOutType: 'STOP' as const } : {}

/** As it comes from a telephone: capitals, missing accents, an exclamation mark, spaces. None changes the sense. */
function typed(text: string, random: Random): string {
  let out = text
  const draw = random()
  if (draw < 0.15) out = out.toUpperCase()
  else if (draw < 0.4) out = out.toLowerCase()
  else out = out.charAt(0).toUpperCase() + out.slice(1)
  // Without its accent `canceló`, they cancelled, is `cancelo`, I cancel.
  if (random() < 0.3 && !/cancel[óé]/i.test(out))
    out = out.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
  if (random() < 0.2) out = out.replaceAll("'", '’')
  if (random() < 0.3 && /\p{L}$/u.test(out)) out += pick(['!', '.'], random)
  if (random() < 0.1) out = `${out}\n`
  if (random() < 0.1) out = `  ${out} `
  return out
}

const around = (word: string, random: Random): string =>
  pick(['', ' ', '¡', '*', '«', '\n'], random) + word + pick(['', '.', '!', ' 🙏', '…', '*', '\n'], random)

function pick<T>(list: readonly T[], random: Random): T {
  const one = list[Math.floor(random() * list.length)]
  if (one === undefined) throw new Error('Nothing to pick')
  return one
}
