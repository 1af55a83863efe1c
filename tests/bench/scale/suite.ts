import { type Figure, figureTable } from '../support/figures'
import { busy } from './busy'
import { embeddedFigures } from './embedded'
import { exports } from './exports'
import { imports } from './imports'
import { lasting } from './lasting'
import { partitions } from './partitions'
import { type Ground, type Place, withApp, withGround } from './place'
import { postgrest } from './postgrest'
import { processes } from './processes'
import { queue } from './queue'
import { reads } from './reads'
import { run } from './run'
import { sync } from './sync'
import { tiers } from './tiers'

type Part = { writes: boolean } & (
  | { onApp: (place: Place) => Promise<Figure[]> }
  | { onGround: (ground: Ground) => Promise<Figure[]> }
)

// In this order: `run` fills the queue that `queue` empties.
const PARTS: Record<string, Part> = {
  postgrest: { writes: false, onGround: postgrest },
  reads: { writes: false, onApp: reads },
  busy: { writes: false, onApp: busy },
  exports: { writes: false, onApp: exports },
  imports: { writes: true, onApp: imports },
  sync: { writes: true, onGround: sync },
  tiers: { writes: true, onApp: tiers },
  run: { writes: true, onApp: run },
  queue: { writes: true, onGround: queue },
  lasting: { writes: true, onGround: lasting },
  processes: { writes: true, onApp: processes },
  partitions: { writes: true, onGround: partitions },
}
const EMBEDDED = 'embedded'
// They take long, and change what the others measure.
const ONLY_WHEN_NAMED = ['lasting', 'processes', 'partitions']

/**
 * The table of docs/scale.md, or the parts of it that SCALE names (`SCALE=reads,exports`, `SCALE=lasting`). Parts that
 * write work on a copy of the lab; `embedded` needs no lab.
 */
export async function scaleFigures(): Promise<Figure[]> {
  const names = choose(process.env.SCALE)
  const parts = names.filter((name) => name !== EMBEDDED)
  const onLab = parts.length > 0 ? await measureOnLab(parts) : []
  return [...onLab, ...(names.includes(EMBEDDED) ? await embeddedFigures() : [])]
}

function measureOnLab(names: string[]): Promise<Figure[]> {
  const parts = names.flatMap((name) => (PARTS[name] ? [{ name, ...PARTS[name] }] : []))
  const writes = parts.some((part) => part.writes)
  return withGround(writes, (ground) =>
    parts.some((part) => 'onApp' in part)
      ? withApp(ground, (place) => measureAll(parts, place))
      : measureAll(parts, ground),
  )
}

/** One after another; each is shown when it is done, since the whole takes long. */
async function measureAll(parts: (Part & { name: string })[], place: Ground | Place): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const part of parts) {
    console.log(`${part.name} …`)
    await place.bare.query('truncate public.rate_limits')
    const measured = await measure(part, place).catch((error) => [failed(part.name, error)])
    console.log(figureTable(measured))
    figures.push(...measured)
  }
  return figures
}

function measure(part: Part, place: Ground | Place): Promise<Figure[]> {
  if ('onGround' in part) return part.onGround(place)
  if (!('app' in place)) throw new Error('Started without the app')
  return part.onApp(place)
}

const failed = (name: string, error: unknown): Figure => ({
  name,
  measured: Number.POSITIVE_INFINITY,
  unit: 's',
  bound: 0,
  detail: error instanceof Error && error.cause ? `${error}: ${error.cause}` : String(error),
})

function choose(list: string | undefined): string[] {
  const every = [...Object.keys(PARTS), EMBEDDED]
  if (!list) return every.filter((name) => !ONLY_WHEN_NAMED.includes(name))
  const names = list.split(',')
  const unknown = names.filter((name) => !every.includes(name))
  if (unknown.length > 0) throw new Error(`SCALE knows ${every.join(', ')}, not ${unknown.join(', ')}.`)
  return every.filter((name) => names.includes(name))
}
