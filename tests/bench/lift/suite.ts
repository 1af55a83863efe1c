import { generateKeys } from '../../../supabase/local/keys'
import { createGroup } from '../../factories/group'
import { startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import type { Figure } from '../support/figures'
import { campaigns } from './campaigns'
import { largeAutomation } from './large'

/** How often the intervals of simulated campaigns contain the truth, and the time of a large comparison. `size`: campaigns. */
export async function liftFigures({ size = 1000 }: { size?: number }): Promise<Figure[]> {
  const keys = await generateKeys()
  const { connection, stop } = await startCluster()
  try {
    const stack = await startPostgresStack(connection, keys)
    try {
      pointAppAt(stack)
      // The time of a large comparison has its own bound; a machine that others share may be slow.
      await stack.sql(`alter role service_role set statement_timeout = '5min'`)
      await stack.sql(`notify pgrst, 'reload config'`)
      const group = await createGroup(stack, 'Grupo Banco', [{ name: 'Norte', slug: 'norte' }])
      return [...(await campaigns({ stack, group }, size)), await largeAutomation({ stack, group })]
    } finally {
      await stack.close()
    }
  } finally {
    await stop()
  }
}

function pointAppAt({ url, keys }: Stack): void {
  Object.assign(process.env, {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
    SUPABASE_SECRET_KEY: keys.secretKey,
    CRON_SECRET: keys.cronSecret,
    SECRETS_KEY: keys.secretsKey,
    LOG_LEVEL: 'error',
  })
}
