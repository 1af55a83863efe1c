import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../supabase/local/embedded'
import { generateKeys } from '../../supabase/local/keys'

/** Migrates one database per test run; each test file starts from a copy of it. */
export default async function setup(project: TestProject) {
  const keys = await generateKeys()
  project.provide('keys', keys)
  if (process.env.STACK === 'postgres') {
    const { startCluster } = await import('./postgres/cluster')
    const cluster = await startCluster()
    project.provide('postgres', cluster.connection)
    return () => cluster.stop()
  }
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-tests-'))
  const snapshot = join(directory, 'snapshot.tar')
  const stack = await startEmbedded({}, keys)
  writeFileSync(snapshot, Buffer.from(await (await stack.dump()).arrayBuffer()))
  await stack.close()
  project.provide('snapshot', snapshot)
  return () => rmSync(directory, { recursive: true, force: true })
}
