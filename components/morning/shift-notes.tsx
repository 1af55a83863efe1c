import { IconNote } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { LocatedNote, Morning, ShiftNote } from '@/lib/morning/schema'
import classes from './morning.module.css'
import { NewNote, OwnNote } from './own-note'

/** The team's shift notes about yesterday and today, by location. */
export function HandedOver({ morning }: { morning: Morning }) {
  const t = useTranslations('morning.notes')
  const { notes, locations, date } = morning
  const zones = new Map(locations.map(({ id, timezone }) => [id, timezone]))
  return (
    <Panel title={t('title')} aside={t('aside', { count: notes.length })} flush={notes.length > 0}>
      {notes.length === 0 ? (
        <EmptyState icon={IconNote} title={t('none')} text={t('noneText')} />
      ) : (
        <NoteList
          notes={notes}
          timezoneOf={({ location_id }) => zones.get(location_id)}
          placeOf={(note) =>
            [locations.length > 1 ? note.location : null, note.day === date ? t('today') : null]
              .filter(Boolean)
              .join(' · ')
          }
        />
      )}
    </Panel>
  )
}

interface ShiftNotesFoldProps {
  notes: readonly ShiftNote[]
  location: { id: string; timezone: string }
}

/** The evening's notes below the service, and a form for another one. Folded until it is opened. */
export function ShiftNotesFold({ notes, location }: ShiftNotesFoldProps) {
  const t = useTranslations('morning.notes')
  return (
    <details className={classes.fold}>
      <summary>{t('fold', { count: notes.length })}</summary>
      <NoteList notes={notes} timezoneOf={() => location.timezone} />
      <NewNote locationId={location.id} />
    </details>
  )
}

interface NoteListProps<N> {
  notes: readonly N[]
  timezoneOf: (note: N) => string | undefined
  placeOf?: (note: N) => string
}

function NoteList<N extends ShiftNote | LocatedNote>({ notes, timezoneOf, placeOf }: NoteListProps<N>) {
  const t = useTranslations('morning.notes')
  const format = useFormatter()
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note.id}>
          {placeOf?.(note) ? <h3>{placeOf(note)}</h3> : null}
          {note.mine ? (
            <OwnNote id={note.id} body={note.body} />
          ) : (
            <p className={classes.text}>{note.body}</p>
          )}
          <p className={classes.by}>
            {t('by', {
              author: note.author,
              when: format.dateTime(new Date(note.created_at), 'instant', { timeZone: timezoneOf(note) }),
            })}
            {note.edited_at ? ` · ${t('edited')}` : null}
          </p>
        </li>
      ))}
    </ul>
  )
}
