// The embedded stack in its own process: `tsx supabase/local/serve.ts`. Ends on SIGTERM or SIGINT,
// after closing the database.
import { join } from 'node:path'
import { compareMigrations, editedLogic } from './edits'
import { startEmbedded } from './embedded'
import { serveStack } from './http'
import { loadKeys } from './keys'
import { lockDataDir } from './lock'
import { runServer } from './process'

const dataDir = process.env.DATA_DIR ?? '.data'
const port = Number(process.env.SUPABASE_PORT ?? 54321)

await runServer(async () => {
  const unlock = lockDataDir(dataDir)
  process.once('exit', unlock)
  const { changed, remember } = compareMigrations(dataDir)
  if (changed.length > 0)
    console.warn(
      `Edited since they were applied to ${dataDir}, which does not have the change: ${changed.join(', ')}. ` +
        `Delete ${dataDir} to start over with it.`,
    )
  const logic = editedLogic(dataDir)
  const stack = await startEmbedded(
    { directory: join(dataDir, 'db'), files: join(dataDir, 'files'), logic: logic.edited },
    await loadKeys(dataDir),
    {
      siteUrl: process.env.SITE_URL,
      mailFile: join(dataDir, 'mail.log'),
    },
  )
  remember()
  logic.remember()
  const served = await serveStack(stack, port)
  console.log(`Supabase (embedded) on ${served.url}`)
  return async () => {
    await served.close()
    await stack.close()
  }
})
