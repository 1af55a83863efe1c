import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../supabase/local/embedded'
import { generateKeys } from '../../supabase/local/keys'
import { OF_TESTS } from './server-clock'
import { ONLY_WITH_WORDS } from './words'

// A database serves many files: what was counted of one file's rows would mislead the plans of the next.
const WITHOUT_STATISTICS = ['alter system set autovacuum = off', 'select pg_reload_conf()']

/** Migrates one database per test run; each test file starts from a copy of it. */
export default async function setup(project: TestProject) {
  const keys = await generateKeys()
  project.provide('keys', keys)
  if (process.env.STACK === 'postgres') {
    const [{ startCluster }, { changeTemplate }] = await Promise.all([
      import('./postgres/cluster'),
      import('./postgres/template'),
    ])
    const cluster = await startCluster()
    await changeTemplate(cluster.connection, [ONLY_WITH_WORDS, OF_TESTS, ...WITHOUT_STATISTICS])
    project.provide('postgres', cluster.connection)
    return () => cluster.stop()
  }
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-tests-'))
  const snapshot = join(directory, 'snapshot.tar')
  const stack = await startEmbedded({}, keys)
  for (const statement of [ONLY_WITH_WORDS, OF_TESTS]) await stack.sql(statement)
  writeFileSync(snapshot, Buffer.from(await (await stack.dump()).arrayBuffer()))
  await stack.close()
  project.provide('snapshot', snapshot)
  return () => rmSync(directory, { recursive: true, force: true })
}
