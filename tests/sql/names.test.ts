import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.close())

async function tokens(name: string | null): Promise<string> {
  const [row] = await stack.sql<{ words: string }>(
    `select array_to_string(private.name_tokens($1), ' ') as words`,
    [name],
  )
  return row?.words ?? ''
}

describe('the words of a name', () => {
  it.each([
    ['GARCÍA  López', 'garcia lopez'],
    ['José Luis de la Peña y Ortega', 'jose luis pena ortega'],
    ['Puig i Cadafalch', 'puig cadafalch'],
    ['João da Silva dos Santos', 'joao silva santos'],
    ['Ludwig van der Berg', 'ludwig berg'],
    ['García-López, Ana', 'garcia lopez ana'],
    ['Jean‑Pierre O’Brien', 'jean pierre obrien'],
    ["D'Angelo", 'dangelo'],
    ['Gal·la Mc Donald', 'galla mc donald'],
    ['Ana (VIP)', 'ana vip'],
    ['Jose\u0301', 'jose'],
    ['王 伟', '王 伟'],
  ])('of %s', async (name, words) => expect(await tokens(name)).toBe(words))

  it.each([
    ['Mª del Carmen', 'maria carmen'],
    ['M.ª Ángeles', 'maria angeles'],
    ['JOSE Mª', 'jose maria'],
    ['Josemª', 'josema'],
    ['Fcº Javier', 'fco javier'],
    ['J.M.', 'j m'],
    ['I. Pérez', 'i perez'],
    ['Pérez, Y.', 'perez y'],
  ])('keep initials and abbreviations: %s', async (name, words) => expect(await tokens(name)).toBe(words))

  it.each([
    ['Sr. Dr. D. Antonio', 'antonio'],
    ['Dña. Lola', 'lola'],
    ['Dª Carmen', 'carmen'],
    ['Familia García', 'garcia'],
    ['Mrs Smith', 'smith'],
    ['Capt. John Smith', 'john smith'],
    ['Don', 'don'],
    ['D.', 'd'],
    ['Van', 'van'],
    ['de la', 'de la'],
  ])('leave out what stands before a name, unless there is nothing else: %s', async (name, words) => {
    expect(await tokens(name)).toBe(words)
  })

  it.each([null, '', ' . ', '--'])('are none of %s', async (name) => expect(await tokens(name)).toBe(''))
})

describe('the variants of names', () => {
  it.each([
    ['pepe', 'jose'],
    ['paco', 'francisco'],
    ['nacho', 'ignacio'],
    ['charo', 'rosario'],
    ['chema', 'jose maria'],
    ['maite', 'maria teresa'],
    ['fco', 'francisco'],
    ['jordi', 'jorge'],
    ['xoan', 'juan'],
    ['koldo', 'luis'],
    ['liz', 'elizabeth'],
    ['ze', 'jose'],
  ])('know that %s may be %s', async (spelling, canonical) => {
    expect(
      await stack.sql(
        `select 1 from private.name_variants where kind = 'given' and spelling = $1 and canonical = $2`,
        [spelling, canonical],
      ),
    ).toHaveLength(1)
  })

  it('have the abbreviations and the old spellings of surnames', async () => {
    const rows = await stack.sql<{ canonical: string }>(
      `select canonical from private.name_variants where kind = 'surname' and spelling = any('{fdez,etxeberria,ximenez}')
       order by canonical`,
    )
    expect(rows.map(({ canonical }) => canonical)).toEqual(
      expect.arrayContaining(['echeverria', 'fernandez', 'jimenez']),
    )
  })

  it('do not join names that people bear beside each other', async () => {
    // Íñigo and Ignacio, Diego and Santiago, Hernández and Fernández are two people, whatever their roots.
    const pairs = [
      ['inigo', 'ignacio'],
      ['diego', 'santiago'],
      ['ivan', 'juan'],
      ['sanz', 'sanchez'],
      ['hernandez', 'fernandez'],
    ]
    for (const [one, other] of pairs) {
      const shared = await stack.sql(
        `with name (spelling, canonical) as (
           select v.spelling, v.canonical from private.name_variants v
           union select v.canonical, v.canonical from private.name_variants v)
         select a.canonical from name a join name b using (canonical) where a.spelling = $1 and b.spelling = $2`,
        [one, other],
      )
      expect(shared, `${one} and ${other}`).toEqual([])
    }
  })

  it('are words as name_tokens gives them', async () => {
    expect(
      await stack.sql(
        `select spelling, canonical from private.name_variants
         where array_to_string(private.name_tokens(canonical), ' ') <> canonical
           or array_to_string(private.name_tokens(spelling), ' ') <> spelling or spelling = canonical`,
      ),
    ).toEqual([])
  })

  it('are hundreds of each kind, and no spelling means more than a handful of names', async () => {
    const counts = await stack.sql<{ kind: string; names: number }>(
      'select kind, count(*)::int as names from private.name_variants group by kind order by kind',
    )
    expect(counts.map(({ kind }) => kind)).toEqual(['given', 'surname'])
    expect(counts[0]?.names).toBeGreaterThan(2500)
    expect(counts[1]?.names).toBeGreaterThan(150)
    const loose = await stack.sql<{ spelling: string; names: number }>(
      'select spelling, count(*)::int as names from private.name_variants group by spelling having count(*) > 9',
    )
    expect(loose).toEqual([])
  })
})

describe('the frequencies of names', () => {
  it('add up to what a population can have', async () => {
    const rows = await stack.sql<{ kind: string; names: number; sum: number }>(
      `select kind, count(*)::int as names, sum(per_million)::float8 as sum from private.name_frequencies
       group by kind order by kind`,
    )
    const [given, surname] = rows
    // Many have two given names, and the commonest surnames are three quarters of all.
    expect(given?.names).toBeGreaterThan(800)
    expect(given?.sum).toBeGreaterThan(1_000_000)
    expect(given?.sum).toBeLessThan(1_600_000)
    expect(surname?.names).toBeGreaterThan(1_400)
    expect(surname?.sum).toBeGreaterThan(600_000)
    expect(surname?.sum).toBeLessThan(900_000)
  })

  it('are in the order of the published tables', async () => {
    const [row] = await stack.sql<{ surnames: string; given: string }>(
      `select
         (select string_agg(name, ' ') from (select name from private.name_frequencies where kind = 'surname'
           order by per_million desc limit 6) as s) as surnames,
         (select string_agg(name, ' ') from (select name from private.name_frequencies where kind = 'given'
           order by per_million desc limit 3) as g) as given`,
    )
    expect(row).toEqual({
      surnames: 'garcia fernandez gonzalez rodriguez lopez martinez',
      given: 'maria jose antonio',
    })
  })

  it('are of words as name_tokens gives them', async () => {
    expect(
      await stack.sql(
        `select name from private.name_frequencies where array_to_string(private.name_tokens(name), ' ') <> name`,
      ),
    ).toEqual([])
  })
})

it('keeps names from people: only the service reads them', async () => {
  for (const table of ['name_variants', 'name_frequencies']) {
    const rights = await stack.sql<{ reader: string; may: boolean }>(
      `select r as reader, has_table_privilege(r, 'private.${table}', 'select, insert, update, delete') as may
       from unnest(array['anon', 'authenticated']) as r`,
    )
    expect(rights).toEqual([
      { reader: 'anon', may: false },
      { reader: 'authenticated', may: false },
    ])
  }
})
