import { GUEST_LANGUAGES, type GuestLanguage, languageOf } from '@/lib/i18n/guest-languages'
import { fold } from '@/lib/text/fold'

/**
 * What files call each language: its names in es, ca, eu, gl, en, fr, pt, it, de and nl, the codes of three letters
 * (ISO 639-2), and the abbreviations of booking systems. Compared by `fold`.
 */
const NAMES: Readonly<Record<GuestLanguage, string>> = {
  es: `español castellano espanyol castellà espainiera gaztelania gaztelera castelán spanish castilian espagnol castillan
    espanhol castelhano spagnolo castigliano spanisch kastilisch spaans castiliaans spa esp`,
  ca: `catalán valenciano mallorquín català valencià mallorquí katalan katalana katalaniera valentziera catalan valencian
    valencien catalão catalano valenzano valenziano katalanisch valencianisch valenzianisch catalaans valenciaans cat`,
  eu: `euskera euskara vasco vascuence eusquera basc èuscar éuscaro euskaldun basque basco baskisch eus baq`,
  gl: `gallego gallec galiziera galego galician galicien galiziano galicisch galizisch glg`,
  en: `inglés anglès ingelesa ingeles english anglais inglês inglese englisch engels eng ing`,
  fr: `francés francès frantsesa frantses french français francês francese französisch franzoesisch frans fra fre`,
  pt: `portugués portuguès portugesa portuges portuguese portugais português portoghese portugiesisch portugees por`,
  it: `italiano italià italiera italian italien italienisch italiaans ita`,
  de: `alemán alemany alemana aleman alemaniera german allemand alemão tedesco deutsch duits deu ger ale`,
  nl: `neerlandés holandés flamenco neerlandès holandès flamenc nederlandera holandera flandriera dutch flemish
    néerlandais hollandais flamand neerlandês holandês flamengo olandese neerlandese fiammingo niederländisch
    niederlaendisch holländisch hollaendisch flämisch flaemisch nederlands hollands vlaams nld dut`,
}

const BY_NAME = new Map(
  GUEST_LANGUAGES.flatMap((code) =>
    fold(NAMES[code])
      .split(' ')
      .map((name) => [name, code] as const),
  ),
)

/**
 * The language that a cell of a file names: a code (`en`, `fr_FR`, `ENG`) or a name in one of the languages, with or without
 * accents and a country behind it (`Inglés`, `English (UK)`, `Portugués - Brasil`). Null for any other text.
 */
export function readLanguage(text: string): GuestLanguage | null {
  const [name = ''] = fold(text).split(/ ?[(-]/)
  return languageOf(text) ?? BY_NAME.get(name) ?? null
}
