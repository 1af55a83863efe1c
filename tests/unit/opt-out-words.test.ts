import { describe, expect, it } from 'vitest'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { textWithLink } from '@/lib/messaging/email-foot'
import { smsOptOut, withOptOut } from '@/lib/messaging/opt-out-line'
import { OPT_OUT_WORDS } from '@/lib/messaging/opt-out-words'
import type { Provider } from '@/lib/messaging/provider'
import { wishOf } from '@/lib/webhooks/wish'

const provider = (answers: Provider['answers']): Provider => ({ name: 'x', answers }) as Provider
const NUMBER = { number: '+34900000001' }
/** What a phone sends as one text of 160 characters (GSM 03.38); any other character halves that. */
const GSM = /^[@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/

describe.each(GUEST_LANGUAGES)('opting out in %s', (language) => {
  const lines = [
    smsOptOut(provider(NUMBER), undefined, language),
    smsOptOut(provider('message'), undefined, language),
  ]

  it('is by a word that our own lexicon obeys', () => {
    for (const line of lines) {
      const [word = ''] = /\b(?:BAJA|BAIXA|STOP)\b/.exec(line ?? '') ?? []
      expect([line, wishOf(word), wishOf(word.toLowerCase())]).toEqual([line, 'stop', 'stop'])
    }
    expect(lines[0]).toContain('+34900000001')
  })

  it('takes a short line that does not make the SMS twice as long', () => {
    const { beforeLink } = OPT_OUT_WORDS[language]
    for (const line of language === 'es' ? [lines[0], beforeLink] : [...lines, beforeLink])
      expect(line).toMatch(GSM)
    for (const line of lines) expect(line?.length).toBeLessThan(50)
  })

  it('is said once', () => {
    for (const line of lines) {
      const text = withOptOut('Ven.', line, undefined)
      expect(text).toBe(`Ven.\n${line}`)
      // Whoever wrote it themselves; also when the sender of this message says it in another way.
      for (const other of lines) expect(withOptOut(text, other, undefined)).toBe(text)
    }
  })

  it('by a link stays, whatever the text asks to answer: nobody would hear it', () => {
    const byLink = `${OPT_OUT_WORDS[language].beforeLink}https://crm.example/b/x`
    for (const line of lines)
      expect(withOptOut(`Ven.\n${line}`, byLink, undefined)).toBe(`Ven.\n${line}\n${byLink}`)
  })

  it('stands at the end of an e-mail', () => {
    expect(textWithLink('Ven.', 'https://crm.example/u/x', language)).toBe(
      `Ven.\n\n--\n${OPT_OUT_WORDS[language].emailLink}: https://crm.example/u/x\n`,
    )
    expect(OPT_OUT_WORDS[language].emailLink).toMatch(/(?:^| · )Unsubscribe$/)
  })
})

it('without a language all is in Spanish', () => {
  expect(smsOptOut(provider(NUMBER))).toBe('BAJA al +34900000001')
  expect(smsOptOut(provider('message'))).toBe('Responde BAJA para no recibir más')
  expect(textWithLink('Ven.', 'L')).toBe('Ven.\n\n--\nDarse de baja · Unsubscribe: L\n')
})

it.each([
  'Send us a word and stop by for a drink',
  'Reply by Friday or stop in for lunch',
  'Responsables de que los precios vayan a la BAJA',
  'Baixa 2 plantes i som aquí',
  'Non-stop to 3 a.m.',
])('a text that does not say how still gets the line: %s', (text) => {
  expect(withOptOut(text, 'STOP to +34900000001', undefined)).toBe(`${text}\nSTOP to +34900000001`)
})
