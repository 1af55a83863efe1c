import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { generateKeys } from '../../supabase/local/keys'
import { clientConfig } from '../support/postgres/server'
import { copyTemplate, serveDatabase } from '../support/postgres/stack'
import { createTemplate } from '../support/postgres/template'
import { LAB_DATABASE, startLabServer } from './cluster'
import { fillLab, type Writer } from './fill'
import { makeLabGroup } from './group'
import { type Lab, type LabGroup, type LabSize, labHash } from './settings'

/** Says that the growth of the lab beside it did not end. */
const UNDER_WAY = 'growing'

/** Grows a lab in an empty directory, or in place of the one there, and says what takes how long. */
export async function growLab(directory: string, size: LabSize): Promise<Lab> {
  const began = performance.now()
  const hash = labHash()
  const password = randomBytes(18).toString('base64url')
  const keys = await generateKeys()
  mkdirSync(directory, { recursive: true })
  clear(directory)
  const { connection, stop } = await startLabServer(directory, password, 'grow')
  try {
    await createTemplate(connection, connection.authBinary)
    await copyTemplate(connection, LAB_DATABASE)
    const stack = await serveDatabase(connection, LAB_DATABASE, keys)
    const clients = [0, 1].map(() => new Client(clientConfig(connection, LAB_DATABASE)))
    let group: LabGroup
    try {
      group = await makeLabGroup(stack, size.locations)
      for (const client of clients) await client.connect()
      await fillLab(clients as Writer[], group, size)
      // What is left of the log would be copied with every copy of the lab.
      await clients[0]?.query('checkpoint')
    } finally {
      for (const client of clients) await client.end()
      await stack.close()
    }
    const seconds = Math.round((performance.now() - began) / 1000)
    const lab: Lab = {
      size,
      hash,
      grownAt: new Date().toISOString(),
      seconds,
      password,
      keys,
      ...group,
    }
    await stop()
    writeFileSync(join(directory, 'lab.json'), `${JSON.stringify(lab, null, 2)}\n`, { mode: 0o600 })
    rmSync(join(directory, UNDER_WAY))
    return lab
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws when the folder has data that is not a lab's, so that a wrong LAB_DIR deletes nothing. */
function clear(directory: string): void {
  const has = (file: string) => existsSync(join(directory, file))
  if (has('data') && !has('lab.json') && !has(UNDER_WAY))
    throw new Error(`${join(directory, 'data')} is not a lab's. Set LAB_DIR to another folder, or delete it.`)
  writeFileSync(join(directory, UNDER_WAY), '')
  for (const file of ['lab.json', 'data']) rmSync(join(directory, file), { recursive: true, force: true })
}
