// `npm run test:chaos`: kills processes that send messages, 200 times over, and counts what became of the messages.
// CHAOS_RUNS (200), CHAOS_SEED (of an earlier run), `--break <name>` (see breakages.ts). Exits 1 on any violation.
// `--large`: one run for many guests instead, whose process is killed CHAOS_KILLS (50) times; CHAOS_GUESTS (100,000).
import { parseArgs } from 'node:util'
import { generateKeys } from '../../supabase/local/keys'
import { createRandom } from '../fakes/pms/random'
import { startCluster } from '../support/postgres/cluster'
import { BREAKAGES } from './breakages'
import { createDrainers } from './drainers'
import { playLargeRun } from './large'
import { withPlace } from './place'
import { playRun } from './scenario'
import { createTally } from './tally'

const RUNS_A_PLACE = 25
const runs = Number(process.env.CHAOS_RUNS || 200)
const seed = process.env.CHAOS_SEED || String(Date.now())
const { values } = parseArgs({ options: { break: { type: 'string' }, large: { type: 'boolean' } } })
const breakage = values.break === undefined ? undefined : BREAKAGES[values.break]
if (values.break !== undefined && !breakage)
  throw new Error(`The breakages are: ${Object.keys(BREAKAGES).join(', ')}`)

const keys = await generateKeys()
const { connection, stop } = await startCluster()
const env = {
  // Drainers get the addresses with each request; the settings only have to be complete.
  SUPABASE_URL: 'http://127.0.0.1:9',
  SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
  SUPABASE_SECRET_KEY: keys.secretKey,
  CRON_SECRET: keys.cronSecret,
  SECRETS_KEY: keys.secretsKey,
  ALLOW_LOOPBACK_UPSTREAMS: '1',
  // The drainers bring providers of their own; planning only has to know that there are some.
  APP_URL: 'https://crm.example',
  MESSAGE_SANDBOX: '1',
  LOG_LEVEL: 'silent',
}
if (values.large) {
  const guests = Number(process.env.CHAOS_GUESTS || 100_000)
  const kills = Number(process.env.CHAOS_KILLS || 50)
  console.log(`${guests} guests, ${kills} kills, CHAOS_SEED=${seed}`)
  const options = { guests, kills, env, breakage, random: createRandom(seed) }
  const violations = await playLargeRun(connection, keys, options).finally(stop)
  console.log(violations.length > 0 ? `FAILED: ${violations.join(', ')}` : 'No violation.')
  process.exit(violations.length > 0 ? 1 : 0)
}
const pool = createDrainers(env)
const tally = createTally()
console.log(`${runs} runs, CHAOS_SEED=${seed}`)
try {
  for (let run = 1; tally.counted() < runs; )
    await withPlace(connection, keys, breakage, async (place) => {
      for (let nth = 0; nth < RUNS_A_PLACE && tally.counted() < runs; nth++, run++) {
        const random = createRandom(`${seed}:${run}`)
        const drainers = random.weighted([
          [1, 6],
          [2, 3],
          [8, 1],
        ] as const)
        const verdict = await playRun(place, pool, { run, drainers, random })
        tally.add(drainers, verdict.counts, verdict.violations.length)
        for (const violation of verdict.violations) console.log(`run ${run}: ${violation}`)
      }
      console.log(`${tally.counted()} of ${runs} …`)
    })
} finally {
  pool.close()
  await stop()
}
console.log(`\n${tally.table()}\n\n${tally.violated() ? `FAILED, CHAOS_SEED=${seed}` : 'No violation.'}`)
process.exit(tally.violated() ? 1 : 0)
