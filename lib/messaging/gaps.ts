// What a variable without a value leaves in a text: "Hola , tienes 3 puntos", ", reserva tu cena". The worker marks each
// output that is empty; where a text has words for the case (`default`, `if`), its output is not.

/** Stands where an output is empty; no text contains it (private use, which nameInMessage drops). */
export const GAP = '\ue000'
/** Between texts that stand side by side, such as the runs of a paragraph. */
const JOIN = '\ue001'

const SPACE = `[ \\t${JOIN}]*`
const SEVERAL = new RegExp(`${GAP}(?:${SPACE}${GAP})+`, 'g')
const ALONE = new RegExp(`[¡¿]${SPACE}${GAP}${SPACE}[!?]${SPACE}`, 'g')
const FIRST = new RegExp(`(^|\\n)([\\s¡¿"«“(${JOIN}]*)((?:${GAP}${SPACE}[,;:]?${SPACE})+)(\\p{Ll}?)`, 'gu')
const AFTER_COMMA = new RegExp(`,(${SPACE})${GAP}(${SPACE})(?=[,.;:!?)»”"\\n]|$)`, 'g')
const WITHIN = new RegExp(`(${SPACE})${GAP}(${SPACE})`, 'g')

/** The text without its marks. */
export const withoutGaps = (text: string): string => text.replaceAll(GAP, '')

/**
 * Rendered texts that stand side by side, with gaps closed: no space before a comma, and a sentence that begins with the
 * gap begins with its next word, in upper case.
 */
export function closeGaps(texts: readonly string[]): string[] {
  if (!texts.some((text) => text.includes(GAP))) return [...texts]
  return texts
    .join(JOIN)
    .replace(SEVERAL, (found) => GAP + joins(found))
    .replace(ALONE, joins)
    .replace(FIRST, (_, line: string, open: string, gaps: string, letter: string) =>
      [line, open, joins(gaps), letter.toUpperCase()].join(''),
    )
    .replace(AFTER_COMMA, joins)
    .replace(WITHIN, (found, _before, _after, at: number, whole: string) => {
      const [left, right] = [whole[at - 1] ?? '\n', whole[at + found.length] ?? '\n']
      return joins(found) + (left === '\n' || /[\n,.;:!?)»”"]/.test(right) ? '' : ' ')
    })
    .split(JOIN)
}

const joins = (found: string) => found.replace(new RegExp(`[^${JOIN}]`, 'g'), '')
