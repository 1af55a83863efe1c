import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('operaciones')
  const live = (organization: string, cities: (string | null)[]) =>
    g.sql(
      `insert into public.customers (organization_id, first_name, city)
       select $1::uuid, 'Ana', c from unnest($2::text[]) as c`,
      [organization, cities],
    )
  await live(g.group.id, [
    'Madrid',
    'Madrid',
    'MADRID',
    'Málaga',
    'Ávila',
    'Getafe',
    null,
    '',
    ' ',
    '100% Sol',
  ])
  await live(g.group.id, [
    "L'Hospitalet",
    'Villa_Norte',
    ...Array.from({ length: 25 }, (_, n) => `Zona ${n}`),
  ])
  await live(g.other.id, ['Mataró'])
})
afterAll(() => g?.app.close())

const PATH = '/api/customers/cities'
const cities = async (search: string, client = boss) => {
  const { status, body } = await g.ask(client, 'GET', `${PATH}?search=${encodeURIComponent(search)}`)
  expect([status, body.next_cursor]).toEqual([200, null])
  return (body.data as { city: string }[]).map(({ city }) => city)
}

describe('the cities of guests', () => {
  it('that begin so, whatever their accents and capitals, each once and in order', async () => {
    const [madrid, ...others] = await cities('ma')
    expect(madrid?.toLowerCase()).toBe('madrid')
    expect(others).toEqual(['Málaga'])
    expect(await cities('MÁL')).toEqual(['Málaga'])
    expect(await cities('avila')).toEqual(['Ávila'])
    expect(await cities('l’hos')).toEqual(["L'Hospitalet"])
    expect(await cities('drid')).toEqual([])
  })

  it('are 20 at most, from the first without a text, and none is blank', async () => {
    expect(await cities('zona')).toHaveLength(20)
    const all = await cities('')
    expect(all.slice(0, 4)).toEqual(['100% Sol', 'Ávila', 'Getafe', "L'Hospitalet"])
    expect(all).toHaveLength(20)
  })

  it('take signs of a pattern as they are', async () => {
    expect(await cities('1%')).toEqual([])
    expect(await cities('100%')).toEqual(['100% Sol'])
    expect(await cities('villa-')).toEqual([])
    expect(await cities('villa_')).toEqual(['Villa_Norte'])
  })

  it('are those of the own group', async () => {
    const stranger = await signedIn(await g.other.person('admin'))
    expect(await cities('m', stranger)).toEqual(['Mataró'])
  })

  it('need no text longer than a city', async () => {
    expect((await g.ask(boss, 'GET', `${PATH}?search=${'x'.repeat(121)}`)).status).toBe(400)
    expect((await g.ask(boss, 'GET', `${PATH}?begins=x`)).status).toBe(400)
  })
})
