import { describe, expect, it } from 'vitest'
import { readPreview } from '@/components/imports/read-preview'
import enNames from '@/lib/i18n/en/client/guest-languages.json'
import esNames from '@/lib/i18n/es/client/guest-languages.json'
import { LANGUAGE_NAMES } from '@/lib/i18n/guest-languages'
import { type Field, findColumns } from '@/lib/imports/columns'
import { readLanguage } from '@/lib/imports/languages'
import { parseRow } from '@/lib/imports/parse-row'

const HEADER = ['Correo', 'Notas', 'Alergias', 'Etiquetas', 'Grupo', 'Móvil', 'Teléfono']
const CHOSEN = new Map<string, Field>([
  ['Alergias', 'notes'],
  ['Grupo', 'tags'],
])

describe('several columns of one field', () => {
  const columns = findColumns(HEADER, CHOSEN) ?? expect.fail('no columns')
  const read = (cells: string[]) => parseRow(cells, columns, HEADER.length, 1, '2026-11-26').row

  it('keep all notes and tags, and of the others the first that is filled', () => {
    expect(
      read(['ana@x.example', 'Mesa junto a la ventana', 'Gluten', 'vip', 'bodas, vip', '', '612345678']),
    ).toMatchObject({
      notes: 'Mesa junto a la ventana\nGluten',
      tags: ['vip', 'bodas'],
      phone: '+34612345678',
    })
    expect(read(['ana@x.example', '', 'Gluten', '', '', '', ''])).toMatchObject({ notes: 'Gluten' })
    expect(read(['ana@x.example', 'Gluten', 'Gluten', '', '', '', ''])).toMatchObject({ notes: 'Gluten' })
    const tags = Array.from({ length: 40 }, (_, n) => `t${n}`)
    const others = Array.from({ length: 20 }, (_, n) => `u${n}`)
    expect(
      read(['ana@x.example', 'Gluten', 'x'.repeat(1999), tags.join(), others.join(), '', '']),
    ).toMatchObject({ notes: 'Gluten', tags })
  })
})

it.each(['CP', 'C.P.', 'Código postal', 'codigo_postal', 'Postal code', 'Postcode', 'ZIP'])(
  'a column %s has postal codes',
  (name) => expect([...(findColumns(['email', name]) ?? [])]).toContainEqual(['postal_code', [1]]),
)

it.each([
  ['city', ['Ciudad', 'Población', 'Localidad', 'Municipio', 'City', 'Town', 'Població']],
  ['language', ['Idioma', 'Lengua', 'Language', 'LANG', 'Locale', 'Idioma preferido', 'Llengua']],
] as const)('columns of the field %s', (field, names) => {
  for (const name of names)
    expect([...(findColumns(['email', name]) ?? [])], name).toContainEqual([field, [1]])
})

describe('the language of a cell', () => {
  it.each([
    [
      'es',
      [
        'es',
        'ES',
        'es-ES',
        'es_MX',
        'Español',
        'CASTELLANO',
        'castellà',
        'Spanish',
        'Gaztelania',
        'spa',
        'Spanish (Spain)',
      ],
    ],
    [
      'ca',
      ['ca', 'ca_ES', 'ca-valencia', 'Catalán', 'català', 'valencià', 'Valenciano', 'catalan', 'Katalanisch'],
    ],
    ['eu', ['eu', 'euskera', 'Euskara', 'Vasco', 'vascuence', 'Basque', 'baskisch', 'èuscar']],
    ['gl', ['gl', 'Gallego', 'galego', 'Galician', 'gallec']],
    [
      'en',
      [
        'en',
        'en-GB',
        'EN_us',
        'Inglés',
        'ingles',
        'anglès',
        'English',
        'Englisch',
        'English - UK',
        'Inglés (Reino Unido)',
        'ENG',
      ],
    ],
    ['fr', ['fr', 'fr_FR', 'Francés', 'français', 'French', 'Französisch', 'frantsesa']],
    ['pt', ['pt', 'pt-BR', 'Portugués', 'português', 'Portuguese', 'portoghese']],
    ['it', ['it', 'Italiano', 'italià', 'Italian', 'Italienisch']],
    ['de', ['de', 'de-AT', 'Alemán', 'aleman', 'Deutsch', 'German', 'allemand', 'tedesco']],
    ['nl', ['nl', 'nl-BE', 'Neerlandés', 'holandés', 'Dutch', 'Nederlands', 'flamenc']],
  ] as const)('%s', (code, words) => {
    for (const word of words) expect(readLanguage(word), word).toBe(code)
  })

  it.each([
    '',
    '-',
    'ru',
    'Ruso',
    'esperanto',
    'espa',
    'es/en',
    'Español, inglés',
    '34',
    'españa',
    'no',
    '(es)',
  ])('none of %j', (text) => expect(readLanguage(text)).toBeNull())

  it('each has its own name', () => {
    for (const [code, name] of Object.entries(LANGUAGE_NAMES)) expect(readLanguage(name)).toBe(code)
    for (const names of [esNames, enNames])
      for (const [code, name] of Object.entries(names)) expect(readLanguage(name)).toBe(code)
  })
})

describe('the preview of a file', () => {
  const preview = (content: string | number[]) =>
    readPreview(new File([typeof content === 'string' ? content : new Uint8Array(content)], 'a.csv'))

  it.each([
    ['an Excel workbook', [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00]],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]],
    ['an old Excel workbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00]],
  ])('is none for %s', async (_, bytes) => {
    expect(await preview(bytes)).toBeNull()
  })

  it.each([
    ['UTF-8', 'correo;nombre\nana@x.example;Íñigo\n'],
    ['Windows-1252', [...'correo;nombre\nana@x.example;'].map((c) => c.charCodeAt(0)).concat(0xcd, 0xf1)],
    ['a NUL and another control character in a cell', 'correo;nombre\nana@x.example;Ana\u0000\u0002\n'],
    ['tabs', 'correo\tnombre\r\nana@x.example\tAna\r\n'],
  ])('reads %s', async (_, content) => {
    expect((await preview(content))?.columns.map(({ field }) => field)).toEqual(['email', 'first_name'])
  })

  it('leaves UTF-16 to the server, which names it', async () => {
    expect(await preview([0xff, 0xfe, 0x61, 0x00, 0x62, 0x00])).not.toBeNull()
  })
})
