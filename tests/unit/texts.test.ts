import { createTranslator } from 'next-intl'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../lib/i18n/en'
import { es } from '../../lib/i18n/es'
import { formats } from '../../lib/i18n/formats'
import { type UsedKeys, usedKeys } from '../support/texts/keys'
import { literalTexts } from '../support/texts/literals'
import { type OpenProject, openProject } from '../support/texts/project'

// Words that are no text of the interface, as `path text`.
const NAMES = ['app/docs/page.tsx openapi.yaml']

type Translate = (key: string, values: Record<string, number>) => string

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

// The texts that the build compiles cannot: next-intl takes the nothing they give for a mistake.
test('every text says something, also of nothing', () => {
  const languages = [
    { locale: 'es', messages: es },
    { locale: 'en', messages: en },
  ] as const
  for (const { locale, messages } of languages) {
    const t = createTranslator({ locale, messages, formats, timeZone: 'UTC' }) as Translate
    const empty = [...texts(messages)].filter(([key, text]) => {
      const none = [...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => [name, 0] as const)
      return t(key, Object.fromEntries(none)).trim() === ''
    })
    expect(empty).toEqual([])
  }
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

function texts(messages: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([name, value]) => {
      const key = path ? `${path}.${name}` : name
      return typeof value === 'string' ? [[key, value] as const] : [...texts(value, key)]
    }),
  )
}

/** The variables of a text, sorted; the words of a plural stand between braces too. */
function variables(text: string): string {
  return [...new Set([...text.matchAll(/(?<!(?:one|other|=\d+) )\{(\w+)[,}]/g)].map((match) => match[1]))]
    .sort()
    .join()
}
