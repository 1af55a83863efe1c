import { fitParameters } from '@/lib/rhythm/fit'
import type { Parameters } from '@/lib/rhythm/model'
import { aliveProbability, returnProbability, stateOf } from '../../support/rhythm-oracle'
import type { Figure } from '../support/figures'
import { bgLogLikelihood, bgReturnProbability } from './bg-nbd'
import { cdnow } from './cdnow'
import { type Guest, historiesOf, type Trial } from './past-and-future'
import { brier, calibration, calibrationError, type Forecast, inHindsight } from './scores'
import { simulated } from './simulator'

const FIXED_DAYS = 90
/** Published for the sample, per week: Fader, Hardie, Lee (2005) and Batislam, Denizel, Filiztekin (2007). */
const PUBLISHED = {
  'BG/NBD': { r: 0.243, alpha: 4.414, a: 0.793, b: 2.426 },
  'MBG/NBD': { r: 0.525, alpha: 6.183, a: 0.891, b: 1.614 },
}

/**
 * How well the rhythm predicts who comes back, compared with BG/NBD and the fixed 90 days, on guests whose future is
 * known. RHYTHM_DATASETS is the folder with CDNOW (docs/rhythm.md has the download); without it only the simulator runs.
 */
export async function rhythmFigures(): Promise<Figure[]> {
  const folder = process.env.RHYTHM_DATASETS
  if (!folder) console.log('RHYTHM_DATASETS is not set: CDNOW is left out')
  const trials = [...(folder ? cdnow(folder) : []), ...simulated()]
  return trials.flatMap(figuresOf)
}

function figuresOf(trial: Trial): Figure[] {
  const { name, guests, holdOut } = trial
  const histories = historiesOf(guests)
  const begin = performance.now()
  const ours = fitParameters(histories)
  const seconds = (performance.now() - begin) / 1000
  const plain = fitParameters(histories, { likelihood: bgLogLikelihood })
  const made = (probability: (guest: Guest) => number): Forecast[] =>
    guests.map((guest) => ({ probability: probability(guest), happened: guest.came }))
  const rhythm = made((guest) => returnProbability(ours, guest, holdOut))
  const fixed = made(({ silence }) => Number(silence <= FIXED_DAYS))
  const hindsight = brier(inHindsight(fixed))
  console.log(`\n${name}: ${guests.length} guests, ${guests.filter(({ came }) => came).length} came again`)
  console.log(`MBG/NBD ${shown(ours)}; BG/NBD ${shown(plain)} (alpha in days)`)
  for (const { guests: n, predicted, happened } of calibration(rhythm))
    console.log(`${String(n).padStart(7)} guests: predicted ${percent(predicted)}, came ${percent(happened)}`)
  return [
    // Better than the fixed rule even if that knows the shares of this hold-out.
    {
      name: `${name}: Brier score, own rhythm`,
      measured: brier(rhythm),
      unit: 'share',
      bound: Number(hindsight.toFixed(4)),
    },
    {
      name: `${name}: calibration error, own rhythm`,
      measured: calibrationError(rhythm),
      unit: 'share',
      bound: 0.1,
    },
    {
      name: `${name}: Brier score, BG/NBD`,
      measured: brier(made((guest) => bgReturnProbability(plain, guest, holdOut))),
      unit: 'share',
    },
    { name: `${name}: Brier score, 90 days, shares known in hindsight`, measured: hindsight, unit: 'share' },
    { name: `${name}: Brier score, 90 days`, measured: brier(fixed), unit: 'share' },
    { name: `${name}: calibration error, 90 days`, measured: calibrationError(fixed), unit: 'share' },
    {
      name: `${name}: fitted`,
      measured: seconds,
      unit: 's',
      bound: 30,
      detail: `${histories.length} histories`,
    },
    ...(name.includes('papers') ? [published('BG/NBD', plain), published('MBG/NBD', ours)] : []),
    ...lostFigures(trial, ours),
  ]
}

/** The greatest relative difference between the four parameters and the published ones. */
function published(model: keyof typeof PUBLISHED, { r, alpha, a, b }: Parameters): Figure {
  const found = { r, alpha: alpha / 7, a, b }
  const apart = (Object.keys(found) as (keyof Parameters)[]).map((key) =>
    Math.abs(found[key] / PUBLISHED[model][key] - 1),
  )
  return {
    name: `${model}: difference from the published parameters`,
    ...{ measured: Math.max(...apart), unit: 'share', bound: 0.01, detail: shown(found) },
  }
}

const STATES = ['unknown', 'on_time', 'at_risk', 'lost'] as const

/** Prints what became of the guests in each state; scores “lost” where the data shows who never came again. */
function lostFigures({ name, guests }: Trial, parameters: Parameters): Figure[] {
  for (const state of STATES) {
    const members = guests.filter((guest) => stateOf(parameters, guest) === state)
    const lost = members.filter((guest) => guest.lost).length
    console.log(
      `${state}: ${members.length} guests, came ${percent(members.filter(({ came }) => came).length / members.length)}` +
        (guests[0]?.lost === null ? '' : `, never again ${percent(lost / members.length)}`),
    )
  }
  if (guests.some(({ lost }) => lost === null)) return []
  const lost = (probability: (guest: Guest) => number): Forecast[] =>
    guests.map((guest) => ({ probability: probability(guest), happened: guest.lost === true }))
  const fixed = lost(({ silence }) => Number(silence > FIXED_DAYS))
  return [
    {
      name: `${name}: Brier score of being lost, own rhythm`,
      measured: brier(lost((guest) => 1 - aliveProbability(parameters, guest))),
      unit: 'share',
    },
    {
      name: `${name}: Brier score of being lost, 90 days, in hindsight`,
      measured: brier(inHindsight(fixed)),
      unit: 'share',
    },
    { name: `${name}: Brier score of being lost, 90 days`, measured: brier(fixed), unit: 'share' },
  ]
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const shown = (parameters: Parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${value.toFixed(3)}`)
    .join(', ')
