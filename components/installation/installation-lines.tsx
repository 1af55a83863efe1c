import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import type { Line } from '@/lib/deployment/lines'
import type { Words } from '@/lib/deployment/words'
import classes from './installation-lines.module.css'

const TONES: Record<Line['state'], BadgeTone> = { right: 'green', wrong: 'red', unknown: 'amber' }
/** What has to be done comes first. */
const RANKS: readonly Line['state'][] = ['wrong', 'unknown', 'right']

interface InstallationLinesProps {
  lines: readonly { line: Line; words: Words }[]
}

/** What was checked of the installation: the wrong lines first, each with what to do. */
export function InstallationLines({ lines }: InstallationLinesProps) {
  const t = useTranslations('installation')
  const count = (state: Line['state']) => lines.filter(({ line }) => line.state === state).length
  const sorted = lines.toSorted(
    (one, other) => RANKS.indexOf(one.line.state) - RANKS.indexOf(other.line.state),
  )
  return (
    <Panel title={t('list')} flush hideTitle>
      <p className={classes.summary} role="status">
        {t('summary', { wrong: count('wrong'), unknown: count('unknown') })}
      </p>
      <ul className={classes.lines} aria-label={t('list')}>
        {sorted.map(({ line, words }) => (
          <li key={`${line.id} ${line.group}`}>
            <h3 className={classes.name}>{words.title}</h3>
            <div className={classes.words}>
              <p>{words.found}</p>
              {words.todo === null ? null : <p className={classes.todo}>{words.todo}</p>}
            </div>
            <Badge tone={TONES[line.state]} dot>
              {t(`states.${line.state}`)}
            </Badge>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
