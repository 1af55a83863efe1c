// The stack on Postgres in its own process, in place of supabase/local/serve.ts and with its settings. Ends on SIGTERM
// or SIGINT; the database goes with it. Who names a DATABASE_URL_FILE finds the superuser's address there.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadKeys } from '../../../supabase/local/keys'
import { printedMail } from '../../../supabase/local/mail'
import { runServer } from '../../../supabase/local/process'
import { startFakeMailServer } from '../../fakes/mail/server'
import { startCluster } from './cluster'
import { startGateway } from './gateway'
import { databaseUrl } from './server'
import { startPostgresStack } from './stack'

const { DATA_DIR = '.data', SUPABASE_PORT = '54321', SITE_URL = '', DATABASE_URL_FILE } = process.env

await runServer(async () => {
  const keys = await loadKeys(DATA_DIR)
  const cluster = await startCluster()
  const printed = printedMail(join(DATA_DIR, 'mail.log'))
  const mail = await startFakeMailServer(({ to, ...rest }) => printed.send({ to: to.join(', '), ...rest }))
  const settings = { GOTRUE_SITE_URL: SITE_URL, GOTRUE_SMTP_PORT: String(mail.port) }
  const stack = await startPostgresStack(cluster.connection, keys, { settings })
  if (DATABASE_URL_FILE)
    writeFileSync(DATABASE_URL_FILE, databaseUrl(cluster.connection, stack.database), { mode: 0o600 })
  const gateway = await startGateway(keys, Number(SUPABASE_PORT))
  gateway.connect(stack.services)
  console.log(`Supabase (Postgres) on ${gateway.url}`)
  return async () => {
    await gateway.close()
    await stack.close()
    await cluster.stop()
  }
})
