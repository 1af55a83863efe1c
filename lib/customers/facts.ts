import { fold } from '@/lib/text/fold'
import { FACT_CODES, type FactCode } from './fact-codes'

// Words in notes, in Spanish and English, without accents. An allergen counts only next to a word such as "alergia".
const ALLERGENS: [FactCode, RegExp][] = [
  ['gluten', /\b(gluten|celiac[oa]s?|coeliac|trigo|wheat)\b/],
  ['crustaceans', /\b(crustaceos?|crustaceans?|gambas?|langostinos?|mariscos?|shellfish|prawns?|shrimps?)\b/],
  ['egg', /\b(huevos?|eggs?)\b/],
  ['fish', /\b(pescados?|fish)\b/],
  ['peanut', /\b(cacahuetes?|peanuts?)\b/],
  ['soy', /\b(sojas?|soya?)\b/],
  ['milk', /\b(leche|lacteos?|milk|dairy)\b/],
  ['lactose', /\b(lactosa|lactose)\b/],
  [
    'nuts',
    /\b(frutos secos|nuez|nueces|almendras?|avellanas?|pistachos?|nuts?|almonds?|hazelnuts?|walnuts?)\b/,
  ],
  ['celery', /\b(apio|celery)\b/],
  ['mustard', /\b(mostaza|mustard)\b/],
  ['sesame', /\b(sesamo|sesame)\b/],
  ['sulphites', /\b(sulfitos?|sulphites?|sulfites?)\b/],
  ['lupin', /\b(altramu(z|ces)|lupins?)\b/],
  [
    'molluscs',
    /\b(moluscos?|mariscos?|shellfish|mejillon(es)?|calamar(es)?|pulpo|molluscs?|mussels?|squid|octopus)\b/,
  ],
]
const ALWAYS_ALLERGY = /\b(celiac[oa]s?|coeliac|gluten|lactosa|lactose)\b/
const IS_ALLERGY = /\b(alerg\w*|allerg\w*|intoleran\w*|anafila\w*|anaphyla\w*)\b/
const AVOIDS = "\\b(sin|without|no puede \\w+|no come|no toma|cannot eat|can'?t eat) (\\w+ ){0,3}"
const OTHERS: [FactCode, RegExp][] = [
  ['vegetarian', /\b(vegetarian[oa]?s?)\b/],
  ['vegan', /\b(vegan[oa]?s?)\b/],
  ['halal', /\bhalal\b/],
  ['kosher', /\bkosher\b/],
  ['no_alcohol', /\b(sin alcohol|no alcohol|abstemi[oa])\b/],
  ['pregnant', /\b(embarazada|pregnant)\b/],
  ['diabetic', /\b(diabetic[oa]?s?|diabetes)\b/],
  ['window', /\b(ventana|ventanal|window)\b/],
  ['terrace', /\b(terraza|terrace|outside)\b/],
  ['quiet', /\b(tranquil[oa]s?|quiet)\b/],
  ['high_chair', /\b(trona|high ?chair)\b/],
  ['wheelchair', /\b(silla de ruedas|movilidad reducida|wheelchair)\b/],
  ['pram', /\b(carrito|cochecito|pram|stroller|buggy)\b/],
  ['dog', /\b(perr[oa]|dog)\b/],
]
const NEGATED =
  /\b(no (es|tiene|hay|have)|sin|not|isn'?t|no) (\w+ ){0,2}(alerg|allerg|intoleran|celiac|coeliac)/
const EXCEPT = /\b(salvo|excepto|menos|except)\b/
const UNWANTED = "\\b(no (es|hay|quiere|necesita)|sin|not|isn'?t|without) (\\w+ )?"

// Each allergen with the phrases for avoiding it: "sin …", "… free".
const AVOIDED = new Map(
  ALLERGENS.map(([code, { source }]) => [code, new RegExp(`${AVOIDS}${source}|${source} free\\b`)]),
)
const NOT_WANTED = new Map(OTHERS.map(([code, { source }]) => [code, new RegExp(UNWANTED + source)]))

/**
 * Returns the codes that notes suggest, for staff to confirm; they are not facts. A sentence that denies an allergy, a
 * diet or a wish suggests none.
 * @param notes free texts, null or undefined where missing
 */
export function suggestFacts(...notes: (string | null | undefined)[]): FactCode[] {
  const found = new Set<FactCode>()
  const sentences = notes
    .flatMap((note) => (note ?? '').split('\n'))
    .flatMap((line) => plain(line).split(/[.;]+|\b(?:pero|aunque|but)\b/))
    .filter((sentence) => sentence.trim() !== '')
  for (const sentence of sentences) {
    const denied = NEGATED.test(sentence) && !EXCEPT.test(sentence)
    const named = IS_ALLERGY.test(sentence)
    for (const [code, words] of ALLERGENS) {
      if (denied || !words.test(sentence)) continue
      if (named || ALWAYS_ALLERGY.test(words.exec(sentence)?.[0] ?? '') || AVOIDED.get(code)?.test(sentence))
        found.add(code)
    }
    for (const [code, words] of OTHERS)
      if (words.test(sentence) && !NOT_WANTED.get(code)?.test(sentence)) found.add(code)
  }
  return FACT_CODES.filter((code) => found.has(code))
}

/** Lower case, without accents; hyphens and underscores, as tags have them, become spaces. */
const plain = (text: string): string => fold(text).replace(/[-_]+/g, ' ')
