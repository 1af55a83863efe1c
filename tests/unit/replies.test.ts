import { describe, expect, it } from 'vitest'
import { understandButton, understandReply } from '@/lib/replies/understand'
import { wishOf } from '@/lib/webhooks/wish'
import { generateReplies, type Reply, randomFrom, type Truth } from '../support/reply-generator'

/** What the webhook would do with it: a wish to stop comes first. */
function takenAs({ text, optOutType }: Reply): Truth | 'start' {
  const wish = wishOf(text, optOutType)
  if (wish) return wish
  const { intent } = understandReply(text)
  return intent === 'confirm' || intent === 'cancel' ? intent : 'person'
}

const show = ({ text, truth }: Reply, taken: string) => `${truth} as ${taken}: ${JSON.stringify(text)}`

describe.each([20261120, 7, 815])('10,000 replies, half of them traps (seed %i)', (seed) => {
  const taken = generateReplies(10_000, randomFrom(seed)).map((reply) => ({ reply, as: takenAs(reply) }))
  const wrongly = (as: string) =>
    taken
      .filter((one) => one.as === as && one.reply.truth !== as)
      .map(({ reply }) => show(reply, as))
      .filter((line, at, all) => all.indexOf(line) === at)

  it('has both halves and many different texts', () => {
    expect(taken.filter(({ reply }) => reply.truth === 'person')).toHaveLength(5000)
    expect(new Set(taken.map(({ reply }) => reply.text)).size).toBeGreaterThan(4500)
  })

  it.each(['cancel', 'confirm', 'stop', 'start'])('takes none for %s that is not', (as) => {
    expect(wrongly(as)).toEqual([])
  })

  it('obeys every STOP', () => {
    const missed = taken.filter(({ reply, as }) => reply.truth === 'stop' && as !== 'stop')
    expect(missed.map(({ reply, as }) => show(reply, as))).toEqual([])
  })

  it.each([
    ['confirm', 'es'],
    ['confirm', 'en'],
    ['cancel', 'es'],
    ['cancel', 'en'],
  ] as const)('understands nine in ten plain answers that %s, in %s', (truth, language) => {
    const plain = taken.filter(({ reply }) => reply.truth === truth && reply.language === language)
    const share = plain.filter(({ as }) => as === truth).length / plain.length
    expect(plain.length).toBeGreaterThan(700)
    expect(share).toBeGreaterThanOrEqual(0.9)
  })
})

describe('a reply', () => {
  it.each([
    ['allí estaremos', 'confirm', 'es'],
    ['we’ll be there, thanks', 'confirm', 'en'],
    ['no vamos a poder, lo siento 😔', 'cancel', 'es'],
    ['Sorry, can’t make it', 'cancel', 'en'],
    ['2️⃣', 'cancel', null],
    ['👍🏽', 'confirm', null],
    ['muchas gracias', 'courtesy', 'es'],
    ['no podemos cancelar', null, 'es'],
    ['2 personas', null, null],
    ['', null, null],
    [`sí${' '.repeat(500)}`, null, null],
  ])('%j is %s in %s', (text, intent, language) => {
    expect(understandReply(text)).toEqual({ intent, language })
  })

  it.each([
    ['confirm', 'Sí, iremos', 'confirm'],
    ['cancelar', 'No podemos', 'cancel'],
    ['cancel', 'Sí, confirmo', null],
    ['btn_7', 'Cancelar', 'cancel'],
    ['cancel', '', 'cancel'],
    ['cancel', 'No podremos el día 2', null],
    ['stop', 'Otra cosa', null],
  ])('by the button %j with the words %j is %s', (payload, text, intent) => {
    expect(understandButton(payload, text).intent).toBe(intent)
  })
})
