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

// As people write it, not as the lexicon has it: some of these are beyond it.
const PLAIN: Record<Language, Record<'confirm' | 'cancel' | 'stop', string[]>> = {
  es: {
    confirm: [
      ...['1', '1', '1', 'sí', 'sí', 'si', 'vale', 'ok', 'okey', 'confirmo', '👍', '👍🏼', '✅', '👌', '1️⃣'],
      ...['confirmado', 'confirmamos', 'sí, confirmo', 'confirmo la reserva', 'confirmo asistencia'],
      ...[
        'allí estaremos',
        'allí estaré',
        'ahí estaremos',
        'sí, allí estaremos',
        'claro que sí',
        'por supuesto',
      ],
      ...['sí, vamos', 'sí, iremos', 'vale, perfecto', 'ok 👍', '1. Confirmar', 'sí 👍', 'de acuerdo'],
      ...['contad con nosotros', 'sin problema, vamos', 'confirmadísimo', 'quiero confirmar la reserva'],
    ],
    cancel: [
      ...['2', '2', '2', '2.', 'cancela', 'cancelar', 'cancelo', 'cancelad', 'anula', 'anular', '2️⃣', '2)'],
      ...['cancela la reserva', 'cancelar la reserva', 'cancelad la mesa', 'anula la reserva', '2 cancelar'],
      ...['no podemos ir', 'no vamos a poder', 'no vamos a poder ir', 'no puedo ir', 'no podremos ir'],
      ...['no podremos asistir', 'al final no podemos ir', 'ya no podemos ir', 'quiero cancelar'],
      ...['queremos cancelar la reserva', 'tengo que cancelar', 'tenemos que cancelar la mesa', 'no podemos'],
      ...[
        'no iremos',
        'no vamos a ir',
        'no podemos ir, cancela',
        'nos es imposible ir',
        'me ha surgido algo y no puedo ir',
      ],
    ],
    stop: ['STOP', 'BAJA', 'ALTO', 'stop', 'baja', 'alto', 'Baja', 'Stop'],
  },
  en: {
    confirm: [
      ...[
        '1',
        '1',
        'yes',
        'yes',
        'Yes',
        'ok',
        'okay',
        'confirm',
        'I confirm',
        'confirmed',
        '👍',
        '👍🏽',
        '✅',
      ],
      ...['see you', 'see you there', 'see you then', "we'll be there", 'we will be there', "I'll be there"],
      ...['yes confirm', 'yes, we confirm', 'confirm my booking', 'sure', 'of course', 'yep', 'yeah'],
      ...["yes, we're coming", 'yes 👍', 'definitely', 'count us in', 'yes, see you there', 'ok, great'],
    ],
    cancel: [
      ...['2', '2', '2.', 'cancel', 'Cancel', 'please cancel', 'cancel please', "can't make it", '2️⃣', '(2)'],
      ...[
        "we can't make it",
        "I can't make it",
        "we can't come",
        'cannot make it',
        "won't be able to make it",
      ],
      ...['cancel my booking', 'please cancel the reservation', 'cancel our table', 'I need to cancel'],
      ...[
        "we're unable to make it",
        "I'd like to cancel",
        'unfortunately we have to cancel',
        'we have to cancel',
      ],
      ...['not coming', 'we are not coming', 'we can no longer make it', 'something came up, cannot come'],
    ],
    stop: ['STOP', 'Stop', 'stop', 'UNSUBSCRIBE', 'unsubscribe', 'Unsubscribe'],
  },
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

// Each reads like an answer and is none, or not a plain one.
const TRAPS: Record<Language, string[]> = {
  es: [
    ...[
      'no',
      'No.',
      'no cancelar',
      'no canceles',
      'no canceles la reserva',
      'no, no cancelamos',
      'no anular',
    ],
    ...[
      'no cancelo',
      'no queremos cancelar',
      'no hay que cancelar',
      'no tengo que cancelar',
      'nunca cancelo',
    ],
    ...['no podemos cancelar', 'no podemos anular la reserva', 'no vamos a cancelar', 'no quiero cancelar'],
    ...[
      'no, vamos',
      'no, iremos',
      'no. Vamos',
      'no; vamos',
      'no\nvamos',
      'no - vamos',
      'no 👍 vamos',
      '~2~ 1',
    ],
    ...[
      '¿puedo cancelar?',
      'puedo cancelar',
      'podéis cancelar?',
      '¿hay que cancelar?',
      'hay que cancelar',
      '¿2?',
      '1?',
    ],
    ...[
      '¿sí?',
      'vale?',
      '¿está cancelada?',
      'está cancelada',
      '¿confirmo?',
      'cancelada?',
      'cancelado',
      'cuándo?',
    ],
    ...[
      '2 personas',
      'somos 2',
      'a las 2',
      'mesa para 2',
      'para 2',
      '2 más',
      '+2',
      '-2',
      '2-3',
      'somos 1',
      '2 niños',
    ],
    ...[
      '1 o 2',
      '1/2',
      '1 y 2',
      '12',
      '22',
      '2 2',
      '1 2',
      '21:00',
      '2:30',
      '2.30',
      'a la 1',
      'a la 1 mejor',
      '½',
      '²',
    ],
    ...[
      'cancela 2',
      'no vamos 2',
      'no podemos ir 2',
      '2 no podemos ir',
      'cancela 1',
      'cancelamos 2',
      '2 menos',
    ],
    ...[
      'el 2',
      'el día 2',
      'sobre las 2',
      '2 y media',
      'opción 3',
      '3',
      '0',
      'dos',
      'uno',
      'somos dos',
      'ok 2',
      '2 👍',
      'voy 1',
    ],
    ...[
      'sí pero llegamos tarde',
      'ok, y somos 6',
      'sí, pero a las 22',
      'vale, somos 4',
      'sí, y una trona',
      'ok pero fuera',
    ],
    ...[
      'no sé',
      'no lo sé',
      'no sé si podemos ir',
      'quizás',
      'depende',
      'a lo mejor no podemos ir',
      'puede que no podamos',
    ],
    ...[
      'si no podemos ir te aviso',
      'si no podemos ir',
      'si cancelo',
      'si cancelamos aviso',
      'en caso de cancelar aviso',
    ],
    ...[
      'si no llueve vamos',
      'si vamos os aviso',
      'creo que no podemos ir',
      'creo que sí',
      'supongo que sí',
      'igual sí',
    ],
    ...[
      'no podemos ir a las 9, mejor a las 10',
      'no podemos ir el viernes pero sí el sábado',
      'no podemos ir tan pronto',
    ],
    ...[
      'no podemos ir todos',
      'no podemos ir solos',
      'no puedo ir yo pero van ellos',
      'mi hermano no puede ir',
      'uno no puede',
    ],
    ...[
      'cancela la mesa 4',
      'cancela la trona',
      'cancela lo de la tarta',
      'cancela la del sábado',
      'cancela solo el postre',
    ],
    ...[
      'cancelar es un rollo',
      'me cancelaron el vuelo',
      'espero no cancelar',
      'canceló la reserva',
      'cancelé la otra',
    ],
    ...[
      'ya cancelamos ayer',
      'cancela y reserva otra',
      'cancela y cambia a mañana',
      'cambiar',
      'cambia a las 10',
      'cambio',
    ],
    ...[
      'vale, cancela',
      'sí, cancela',
      'sí. No podemos ir',
      'ok no vamos',
      'vale no podemos',
      '1 no podemos ir',
      '👍 cancela',
    ],
    ...[
      'sí claro 🙄',
      'ya, claro',
      'sí, sí, lo que tú digas',
      'perfecto, otra vez',
      'genial 🙃',
      'vale 😒',
      'sí ;)',
      'claro 😂',
    ],
    ...[
      'sí...',
      'vale…',
      'ok..',
      'cancela…',
      'no podemos ir...',
      '"cancela"',
      '«no podemos ir»',
      '> 2',
      'me dicen: 2 mesas',
    ],
    ...[
      'confirmo que no vamos',
      'confirmo que no',
      'confirmo la cancelación',
      'no confirmo',
      'no estaremos',
      'no 1',
    ],
    ...[
      'gracias',
      'hola',
      '🙏',
      '😂',
      '❌',
      '👎',
      '🤔',
      '🤷',
      'ja ja',
      '',
      '.',
      '!!',
      'buenas tardes',
      '😡',
      'xd',
    ],
    ...[
      '¿Tenéis terraza?',
      'llego 15 minutos tarde',
      'soy alérgica al marisco',
      'añade una persona',
      'dónde estáis',
    ],
    ...[
      'darme de baja',
      'dame de baja de la newsletter',
      'baja 2 personas',
      'una baja, somos 5',
      'quiero el alta',
      'alto ahí',
    ],
    ...[
      'no vuelvas a cancelar',
      'stop a la reserva de las 9',
      'mesa baja por favor',
      'mejor mesa alta o baja',
      'un alto en el camino',
    ],
    ...[
      'la reserva de hoy sí y la de mañana no',
      'una sí y otra no',
      'ambas',
      'la primera',
      'las dos',
      'cancela las dos',
    ],
    ...[
      'es imposible',
      'imposible aparcar',
      'no podemos esperar',
      'no podemos esperar a ir',
      'no puedo',
      'no podía ir',
    ],
    ...[
      'no pudimos ir',
      'no fuimos',
      'no íbamos a ir',
      'no podríamos ir antes',
      'por qué no podemos ir',
      'que no podemos ir',
    ],
  ],
  en: [
    [
      'no',
      'No.',
      "don't cancel",
      'do not cancel',
      "please don't cancel",
      'dont cancel',
      'never cancel',
      'no cancel',
    ],
    [
      'not cancelling',
      "we're not cancelling",
      "we can't cancel",
      'I cannot cancel',
      "won't cancel",
      'no, we will be there',
    ],
    [
      'can I cancel?',
      'can i cancel',
      'could you cancel?',
      'is it cancelled',
      'cancelled?',
      'canceled',
      'should I cancel',
      'yes?',
    ],
    [
      '2 people',
      'table for 2',
      'two',
      'we are 2',
      'at 2',
      '2 pm',
      '2pm',
      '2 more',
      '2 cancel',
      '2 cannot come',
      'cancel 2',
      '2 kids',
    ],
    [
      '1 or 2',
      '1 of us',
      'just 1',
      '1 more',
      'option 3',
      '2nd',
      '2x',
      'x2',
      '#2',
      '2%',
      '+1',
      '12',
      '2 2',
      'ok 2',
      '2 👍',
      '2-3',
    ],
    [
      'yes but we are 6',
      'yes but late',
      'ok but at 9',
      'yes, 4 of us',
      'ok, one more person',
      'yes and a high chair please',
    ],
    [
      "don't know",
      'not sure',
      'maybe',
      'perhaps',
      'it depends',
      "maybe we can't make it",
      'might not make it',
      'I think so',
    ],
    [
      "if we can't make it I'll call",
      "if we can't make it",
      'unless we cancel',
      'in case we cancel',
      'will cancel if it rains',
    ],
    [
      "can't make it at 8, can we do 9",
      "can't make it on Friday but Saturday works",
      "can't make it before 9",
      "can't come early",
    ],
    [
      "one of us can't make it",
      "my wife can't make it",
      "some of us can't come",
      "we can't all make it",
      'only 3 of us coming',
    ],
    [
      'cancel the cake',
      'cancel the high chair',
      'cancel table 4',
      'cancel one of the two',
      'cancel the other one',
      'cancel that',
    ],
    [
      'my flight got cancelled',
      'hope not to cancel',
      'cancel and rebook',
      'cancel it and move to Sunday',
      'reschedule',
      'change to 9',
    ],
    [
      'yes cancel',
      'ok cancel',
      'yes, please cancel',
      'sure, cancel it',
      "yes. can't make it",
      "ok we can't come",
      '👍 cancel',
    ],
    [
      'yeah right',
      'oh great 🙄',
      'sure 🙃',
      'yes ;)',
      'of course 😒',
      "can't wait to cancel",
      'yeah, sure, whatever',
      'ok 😂',
    ],
    [
      'yes...',
      'ok…',
      'cancel..',
      "can't make it...",
      '"cancel"',
      '> cancel',
      '~cancel~',
      '“please cancel”',
      'they said: cancel?',
    ],
    [
      'thanks',
      'hello',
      '🙏',
      '❌',
      '👎',
      '🤔',
      '',
      '?',
      'lol',
      'who is this',
      'do you have parking',
      'running 10 minutes late',
    ],
    [
      'stop calling me',
      'stop by at 9',
      'we will stop by',
      'stop at table 2',
      'how do I unsubscribe',
      'unsubscribe me from email?',
    ],
    [
      'confirm cancellation',
      "I confirm we can't",
      'not confirmed',
      "can't confirm",
      'we will not confirm',
      'will confirm later',
    ],
    [
      "couldn't make it yesterday",
      "we didn't come",
      'were not coming back',
      'not coming early',
      'I was not able to',
      "can't wait",
      'see you never',
    ],
    [
      'both',
      'the first one',
      'today yes tomorrow no',
      'cancel both',
      'yes for Friday',
      'see you tomorrow at another place',
      'see you at 9',
    ],
  ].flat(),
}

/** What turns a plain answer into one for a person. */
const TWISTS: Record<Language, Record<'confirm' | 'cancel', ((answer: string) => string)[]>> = {
  es: {
    confirm: [
      ...[
        ', pero somos 5',
        ' a las 10',
        ', y una persona más',
        ' si no llueve',
        ', creo',
        '? ',
        ' el sábado',
        '… o no',
      ],
      ...[
        ' pero tarde',
        ', ¿a qué hora era?',
        ' 🙄',
        ' los 4',
        ' mañana',
        ', salvo Ana',
        ' o no',
        ', no sé',
        ' con perro',
      ],
    ].map((more) => (answer: string) => answer + more),
    cancel: [
      ...[
        'si ',
        'creo que ',
        'a lo mejor ',
        'no sé si ',
        '¿y si ',
        'mi hermano dice: ',
        'no, no ',
        'quizá ',
        'no es que ',
      ].map((start) => (answer: string) => start + answer),
      ...[
        '?',
        ' el viernes',
        ' a las 9',
        ' mañana, pero pasado sí',
        ' y reservar otra',
        ' solo dos',
        ', ¿no?',
        ' 3 de los 6',
      ].map((more) => (answer: string) => answer + more),
      ...[
        ' si llueve',
        ' antes de las 10',
        ', o sí',
        '...',
        ' la trona',
        ', es broma',
        ' 😂',
        ', no, espera',
        ' en coche',
      ].map((more) => (answer: string) => answer + more),
    ],
  },
  en: {
    confirm: [
      ...[
        ', but we are 5',
        ' at 10',
        ', plus one more',
        ' if it is dry',
        ', I think',
        '?',
        ' on Saturday',
        '... or not',
      ],
      ...[
        ' but late',
        ', what time was it?',
        ' 🙄',
        ' all 4',
        ' tomorrow',
        ', except Ana',
        ' or not',
        ' with a dog',
      ],
    ].map((more) => (answer: string) => answer + more),
    cancel: [
      ...[
        'if ',
        'I think ',
        'maybe ',
        'not sure if ',
        'what if ',
        'my brother says ',
        'no, no, ',
        "it's not that ",
        'yes, ',
      ].map((start) => (answer: string) => start + answer),
      ...[
        '?',
        ' on Friday',
        ' at 9',
        ' tomorrow, but Sunday yes',
        ' and rebook',
        ' just two',
        ', right?',
        ' 3 of 6',
        ' if it rains',
      ].map((more) => (answer: string) => answer + more),
      ...[' before 10', ', or yes', '...', ' the cake', ', just kidding', ' 😂', ', no, wait'].map(
        (more) => (answer: string) => answer + more,
      ),
    ],
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
  return pick(TWISTS[language][kind], random)(pick(words, random))
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
  if (random() < 0.15 && /\p{L}$/u.test(out)) out += '!'
  else if (random() < 0.15 && /\p{L}$/u.test(out)) out += '.'
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
