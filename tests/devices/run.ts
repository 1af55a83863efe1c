// `npm run test:devices`: devices with the board open in one service, a fifth of them out of reach at any time, on the built
// app. DEVICES (30), DEVICE_MINUTES (20), DEVICE_SEED (of an earlier run). Exits 1 on any violation.
import { generateKeys } from '../../supabase/local/keys'
import build from '../contract/build'
import { startBuiltApp } from '../contract/built-app'
import { startCluster } from '../support/postgres/cluster'
import { type PostgresStack, startPostgresStack } from '../support/postgres/stack'
import { installBrowser } from './browser'
import { type Night, playNight } from './night'
import { report } from './report'

const options: Night = {
  devices: Number(process.env.DEVICES || 30),
  minutes: Number(process.env.DEVICE_MINUTES || 20),
  seed: process.env.DEVICE_SEED || String(Date.now()),
}
console.log(`${options.devices} devices, ${options.minutes} min, DEVICE_SEED=${options.seed}`)
build()
const keys = await generateKeys()
const closers: (() => unknown)[] = []
let isRight = false
try {
  const { connection, stop } = await startCluster()
  closers.push(stop)
  const stack: PostgresStack = await startPostgresStack(connection, keys)
  closers.push(stack.close)
  const app = await startBuiltApp(stack)
  closers.push(app.stop)
  closers.push(installBrowser())
  const outcome = await playNight(stack, app.url, options)
  console.log(report(options, outcome))
  isRight = outcome.violations.length === 0
} finally {
  for (const close of closers.reverse()) await close()
}
process.exit(isRight ? 0 : 1)
