import { startEmbedded } from '../../../supabase/local/embedded'
import { serveStack } from '../../../supabase/local/http'
import type { Stack } from '../../support/stack'
import { type Figure, seconds } from '../support/figures'
import type { Lab } from './lab'

const ROWS = 20_000

/** The same 20,000 reservations on the embedded stack, which people try the app on. */
export function embedded(lab: Lab): Promise<Figure[]> {
  return lab.withPms({ rows: ROWS }, (fresh) =>
    fresh(
      async (place) => {
        const first = await lab.withApp(place.sync)
        const second = await lab.withApp(place.sync)
        if (first.created !== ROWS) throw new Error('The sync did not save all rows')
        const detail = `second sync ${seconds(second.milliseconds)}`
        const name = '20,000 reservations on the embedded stack'
        return [{ name, measured: first.milliseconds / 1000, unit: 's', detail }]
      },
      () => startEmbeddedStack(lab),
    ),
  )
}

async function startEmbeddedStack({ keys }: Lab): Promise<Stack> {
  const database = await startEmbedded({}, keys)
  const served = await serveStack(database)
  const close = async () => {
    await served.close()
    await database.close()
  }
  return { kind: 'embedded', url: served.url, keys, sql: database.sql, mails: [], close }
}
