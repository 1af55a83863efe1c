import { confusion, f1, precision, recall, type Score, type Verdict } from './judge'
import type { GuestRecord } from './records'

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const line = (name: string, score: Score) =>
  `${name.padEnd(10)} F1 ${f1(score).toFixed(3)}  precision ${precision(score).toFixed(4)}  recall ${recall(score).toFixed(3)}  (${score.right} right of ${score.suggested}, ${score.truth} true)`

/** A verdict as text, with so many examples of each kind of mistake. */
export function reportOf(title: string, verdict: Verdict, examples = 0): string {
  const lines = [
    `## ${title}`,
    line('pairs', verdict.pairs),
    line('groups', verdict.groups),
    line('certain', verdict.certain),
    `best F1 of pairs ${verdict.best.f1.toFixed(3)} from probability ${verdict.best.threshold.toFixed(4)} on`,
    'probability: pairs, right, expected right',
    ...verdict.calibration
      .filter(({ pairs }) => pairs > 0)
      .map(
        ({ from, pairs, right, expected }) => `  from ${from}: ${pairs}, ${right}, ${expected.toFixed(0)}`,
      ),
    'recall by corruption, the costliest first: found of all',
    ...[...verdict.byCorruption]
      .toSorted(([, a], [, b]) => b.all - b.found - (a.all - a.found))
      .map(([kind, { found, all }]) => `  ${kind}: ${found} of ${all}, ${percent(found / all)}`),
    'two people taken for one: suggested, certain',
    ...[...verdict.byTrap]
      .toSorted(([, a], [, b]) => b.suggested - a.suggested)
      .map(([kind, { suggested, certain }]) => `  ${kind}: ${suggested}, ${certain}`),
  ]
  if (examples > 0) {
    lines.push(
      'missed:',
      ...verdict.missed.slice(0, examples).flatMap(([one, other]) => ['-', show(one), show(other)]),
    )
    for (const [kind, pairs] of Map.groupBy(verdict.wrong, ({ one, other }) => confusion(one, other)))
      lines.push(
        `wrong, ${kind}:`,
        ...pairs
          .slice(0, examples)
          .flatMap(({ one, other, probability, certain }) => [
            `- ${probability.toFixed(4)}${certain ? ', certain' : ''}`,
            show(one),
            show(other),
          ]),
      )
  }
  return lines.join('\n')
}

/** A record on one line. */
function show(record: GuestRecord): string {
  const { first_name, last_name, email, phone, birth_date, company, address, corruptions } = record
  return `  ${[first_name, last_name, email, phone, birth_date, company, address].map((value) => value ?? '').join(' | ')}  [${corruptions.join(', ')}]`
}
