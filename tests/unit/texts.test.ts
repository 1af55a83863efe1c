import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../lib/i18n/en'
import { es } from '../../lib/i18n/es'
import { type UsedKeys, usedKeys } from '../support/texts/keys'
import { literalTexts } from '../support/texts/literals'
import { type OpenProject, openProject } from '../support/texts/project'
import { texts } from '../support/texts/texts'

// Words that are no text of the interface, as `path text`.
const NAMES = ['app/docs/page.tsx openapi.yaml']

// What Spanish and English say in the same words, and the names of the languages, each in its own.
const SHARED = new Set(
  `Agenda Bytes Ctrl General Marketing No Resend SMS Sobremesa Token Tokens Total Twilio VIP Variable WhatsApp
  diabetes est gluten halal kosher min vis`.split(/\s+/),
)
// Names the fields of a PMS as they are in its answer.
const PMS_FIELDS = 'client.integrations.test.pms.form'
const NAMES_OF_LANGUAGES = /\.language\.(?:es|en)$/

let project: OpenProject
let code: UsedKeys

beforeAll(() => {
  project = openProject()
  code = usedKeys(project, 'app', 'components', 'lib')
})
afterAll(() => project.close())

test('no words stand in the pages and components themselves', () => {
  const found = project.files('app', 'components').flatMap(({ path, tree }) => literalTexts(path, tree))
  expect(found.filter((each) => !NAMES.includes(each.replace(/:\d+ /, ' ')))).toEqual([])
})

test('both languages have the same texts, with the same variables', () => {
  const [spanish, english] = [texts(es), texts(en)]
  expect([...english.keys()].sort()).toEqual([...spanish.keys()].sort())
  const apart = [...spanish].filter(([key, text]) => variables(text) !== variables(english.get(key) ?? ''))
  expect(apart.map(([key]) => key)).toEqual([])
})

test('no text of one language was left in the other', () => {
  const english = texts(en)
  const left = [...texts(es)].filter(
    ([key, text]) =>
      english.get(key) === text &&
      !NAMES_OF_LANGUAGES.test(key) &&
      words(text).some((word) => !SHARED.has(word)),
  )
  expect(left).toEqual([])
})

test('the people of a party are never shortened to “pax” or “pers.”', () => {
  const short = [...texts(es), ...texts(en)].filter(
    ([key, text]) => key !== PMS_FIELDS && /\b(?:pax\b|pers\.)/i.test(text),
  )
  expect(short).toEqual([])
})

test('the compiler can tell every key that the code asks for', () => {
  expect(code.untold).toEqual([])
  expect(code.used.size).toBeGreaterThan(300)
})

test('every text that the code asks for is there, and every text is asked for', () => {
  const known = texts(es)
  expect([...code.used].filter(([key]) => !known.has(key))).toEqual([])
  expect([...known.keys()].filter((key) => !code.used.has(key))).toEqual([])
})

/** The words of a text, without the names of variables, plurals and choices. */
function words(text: string): string[] {
  const plain = text
    .replaceAll(/\{\w+(?:, \w+)*\}/g, '')
    .replaceAll(/\{\w+, (?:select|plural),|[\w=]+ (?=\{)/g, '')
  return plain.match(/\p{L}{2,}/gu) ?? []
}

/** The variables of a text, sorted; the words of a plural and of a choice stand between braces too. */
function variables(text: string): string {
  const plain = text.replaceAll(/(\{\w+, select,)(?:\s*\w+ \{[^{}]*\})+\s*\}/g, '$1}')
  return [...new Set([...plain.matchAll(/(?<!(?:one|other|=\d+) )\{(\w+)[,}]/g)].map((match) => match[1]))]
    .sort()
    .join()
}
