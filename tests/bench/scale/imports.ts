import { setTimeout as pause } from 'node:timers/promises'
import type { Figure } from '../support/figures'
import type { Place } from './place'
import { figureOf } from './row'

const ROWS = 5000
const ROUNDS = 3
const HEADER = 'email;phone;código país;nombre;apellido;cumpleaños;empresa;cargo;dirección;etiquetas'

/** Files of 5,000 guests: all known, all new, and the last one again. */
export async function imports(place: Place): Promise<Figure[]> {
  const { rows: known } = await place.bare.query<{ email: string }>(
    `select email from public.customers tablesample system (30) where email is not null limit ${ROWS * ROUNDS}`,
  )
  const times = { known: [] as number[], new: [] as number[], again: [] as number[] }
  let problem: string | undefined
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const emails = known.slice(round * ROWS, (round + 1) * ROWS).map(({ email }) => email)
      const newcomers = Array.from({ length: ROWS }, (_, n) => `nueva${round}.${n}@banco.example`)
      times.known.push(await uploadGuests(place, emails, round))
      await settle(place)
      times.new.push(await uploadGuests(place, newcomers, round + 10))
      await settle(place)
      times.again.push(await uploadGuests(place, newcomers, round + 10))
    }
    await settle(place)
  } catch (error) {
    problem = String(error)
  }
  const goals = { known: 2, new: 1.5, again: 0.6 }
  const names = { known: 'known guests', new: 'new guests', again: 'the same file again' }
  return (['known', 'new', 'again'] as const).map((kind) =>
    figureOf({
      name: `import of ${ROWS.toLocaleString('en')}: ${names[kind]}`,
      times: problem ? [] : times[kind],
      goal: { most: goals[kind], unit: 's', of: 'median' },
      ...(problem ? { note: problem } : {}),
    }),
  )
}

/** Imports a guest for each e-mail over the app; the milliseconds it took. */
export async function uploadGuests(
  { app, cookie, bare, lab }: Place,
  emails: string[],
  round: number,
): Promise<number> {
  await bare.query('truncate public.rate_limits')
  const lines = emails.map((email, n) => {
    const birthday = `${String((n % 28) + 1).padStart(2, '0')}/0${(n % 9) + 1}/19${60 + (n % 40)}`
    return `${email};;;Nombre ${n};Apellido ${n};${birthday};Empresa ${round};Cargo;Calle ${n};a,b`
  })
  const form = new FormData()
  form.append('file', new File([[HEADER, ...lines, ''].join('\r\n')], 'clientes.csv', { type: 'text/csv' }))
  form.append('location_id', lab.locations[0]?.id ?? '')
  const begin = performance.now()
  const response = await fetch(new URL('/api/admin/import-csv', app.url), {
    method: 'POST',
    headers: { cookie },
    body: form,
  })
  const body = (await response.json()) as { imported?: number }
  if (response.status !== 200 || body.imported !== emails.length)
    throw new Error(`${response.status}: ${JSON.stringify(body).slice(0, 200)}`)
  return performance.now() - begin
}

/** Ends the comparison of the imported guests, which takes the app up to 45 s after its answer and has a bench of its own. */
async function settle({ bare }: Place): Promise<void> {
  await bare.query('update public.identity_settings set queued_to = null')
  await bare.query('delete from private.identity_queue')
  for (let idle = 0; idle < 5; ) {
    await pause(200)
    const { rows } = await bare.query<{ busy: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and state = 'active'
         and pid <> pg_backend_pid()) as busy`,
    )
    idle = rows[0]?.busy ? 0 : idle + 1
  }
}
