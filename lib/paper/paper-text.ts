/** Characters that a PDF's fonts lack although they have the same sign by another name. */
const SAME: Record<string, string> = { '−': '-', '\u202f': ' ', '\u2009': ' ', '\u3000': ' ', '\t': ' ' }

// The characters of the fonts that every PDF reader has: Windows-1252.
const PLAIN = /^[\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u

/** Whether the text has letters of a script from right to left. */
export const isTurned = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)

/** An invisible letter of the Latin direction: it keeps what follows a name in Arabic or Hebrew behind that name. */
export const TURN = '\u200e'
/** A name as part of a line in the Latin direction. */
export const turned = (name: string): string => (isTurned(name) ? `${name}${TURN}` : name)

/** Whether the fonts that every PDF reader has can write the text. */
export const isPlain = (text: string): boolean => PLAIN.test(text)

/** The text as paper can show it: composed letters, without control characters, marks of direction and halves of pairs. */
export function paperText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[−\u202f\u2009\u3000\t]/gu, (sign) => SAME[sign] ?? sign)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\p{Cc}\p{Cf}\p{Variation_Selector}\ufffd]/gu, (sign) =>
      /[\n\u200c-\u200e]/.test(sign) ? sign : '',
    )
}
