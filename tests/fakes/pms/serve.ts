import { createDemoWorld } from './demo-world'
import { startPmsSimulator } from './server'

const apiKey = process.env.PMS_API_KEY
const port = Number(process.env.PMS_PORT || 4010)
const seed = process.env.PMS_SEED || 'sobremesa'
const scale = Number(process.env.PMS_SCALE || 1)

if (!apiKey) fail('PMS_API_KEY is required')
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail('PMS_PORT must be a port number')
if (!(scale > 0 && scale <= 100)) fail('PMS_SCALE must be a number above 0, at most 100')

const world = createDemoWorld({
  seed,
  scale,
  now: () => new Date(),
  hideFutureWalkIns: true,
  hideUnmade: true,
})
const simulator = await startPmsSimulator({ world, apiKey, port, control: true, ledgerLimit: 500 }).catch(
  (error) => fail(error instanceof Error ? error.message : 'Could not start'),
)
console.log(`PMS simulator on ${simulator.url}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    simulator.close().then(() => process.exit(0))
  })
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
