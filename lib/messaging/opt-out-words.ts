import type { GuestLanguage } from '@/lib/i18n/guest-languages'

interface OptOutWords {
  /** The last line of an SMS whose number can be answered. The word is one that lib/replies reads as an opt-out. */
  toNumber: (number: string) => string
  /** Of one that is answered without knowing the number. */
  byAnswer: string
  /** What stands before the link of one that cannot be answered. */
  beforeLink: string
  /** The unsubscribe link of an e-mail: in English too, for who was taken for another language's. */
  emailLink: string
}

/**
 * How a guest is told to opt out, in their language. No line of an SMS but the Spanish one has a character that makes the
 * SMS twice as long (GSM 03.38).
 */
export const OPT_OUT_WORDS: Record<GuestLanguage, OptOutWords> = {
  es: {
    toNumber: (number) => `BAJA al ${number}`,
    byAnswer: 'Responde BAJA para no recibir más',
    beforeLink: 'Baja: ',
    emailLink: 'Darse de baja · Unsubscribe',
  },
  ca: {
    toNumber: (number) => `BAIXA al ${number}`,
    byAnswer: 'Respon BAIXA per no rebre més',
    beforeLink: 'Baixa: ',
    emailLink: 'Donar-se de baixa · Unsubscribe',
  },
  eu: {
    toNumber: (number) => `BAJA ${number} zenbakira`,
    byAnswer: 'Erantzun BAJA mezu gehiago ez jasotzeko',
    beforeLink: 'Baja emateko: ',
    emailLink: 'Baja eman · Unsubscribe',
  },
  gl: {
    toNumber: (number) => `BAIXA ao ${number}`,
    byAnswer: 'Responde BAIXA para non recibir nada',
    beforeLink: 'Baixa: ',
    emailLink: 'Darse de baixa · Unsubscribe',
  },
  en: {
    toNumber: (number) => `STOP to ${number}`,
    byAnswer: 'Reply STOP to opt out',
    beforeLink: 'Opt out: ',
    emailLink: 'Unsubscribe',
  },
  fr: {
    toNumber: (number) => `STOP au ${number}`,
    byAnswer: 'Répondez STOP pour ne plus rien recevoir',
    beforeLink: 'Se désinscrire : ',
    emailLink: 'Se désinscrire · Unsubscribe',
  },
  pt: {
    toNumber: (number) => `STOP para ${number}`,
    byAnswer: 'Responda STOP para deixar de receber',
    beforeLink: 'Deixar de receber: ',
    emailLink: 'Deixar de receber · Unsubscribe',
  },
  it: {
    toNumber: (number) => `STOP al ${number}`,
    byAnswer: 'Rispondi STOP per non ricevere altro',
    beforeLink: 'Disiscriviti: ',
    emailLink: 'Disiscriviti · Unsubscribe',
  },
  de: {
    toNumber: (number) => `STOP an ${number}`,
    byAnswer: 'Antworten Sie STOP, um nichts mehr zu erhalten',
    beforeLink: 'Abmelden: ',
    emailLink: 'Abmelden · Unsubscribe',
  },
  nl: {
    toNumber: (number) => `STOP naar ${number}`,
    byAnswer: 'Antwoord STOP om niets meer te ontvangen',
    beforeLink: 'Afmelden: ',
    emailLink: 'Afmelden · Unsubscribe',
  },
}
