import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { SLUG, seedDemo } from '../../../scripts/demo/seed'
import { groupWith } from '../../factories/group'
import { startApp } from '../../support/app'
import { type Guests, guestsOf } from '../../support/guests'

/** The app with the demo's group and its year of guests. No PMS answers. */
export async function startDemoGuests(): Promise<Guests> {
  const app = await startApp()
  const { stack } = app
  const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-demo-guests-'))
  await seedDemo({
    port: 9,
    supabasePort: Number(new URL(stack.url).port),
    pmsPort: 9,
    dataDir,
    scale: 1,
    timezone: TIME_ZONE,
    keys: stack.keys,
    cronSecret: stack.keys.cronSecret,
    pmsKey: 'pms-of-the-demo',
  })
  rmSync(dataDir, { recursive: true })
  const locations = await stack.sql<{ group_id: string; id: string; name: string; pms_id: string | null }>(
    `select o.id::text as group_id, l.id::text, l.name, l.pms_id from public.organizations o
     join public.locations l on l.organization_id = o.id where o.slug = $1 order by l.name`,
    [SLUG],
  )
  return guestsOf(app, groupWith(stack, locations[0]?.group_id ?? '', locations))
}
