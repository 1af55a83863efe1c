import { Button, TextInput } from '@mantine/core'
import { IconHourglass, IconPlus, IconSearch } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Allergies } from '@/components/customers/allergy-badges'
import type { Service } from '@/lib/service/schema'
import classes from './board.module.css'
import { allergiesIn, type BoardParty } from './board-model'
import { ShiftTabs } from './shift-tabs'

interface BoardBarProps {
  shifts: Service['shifts']
  /** The id of the shift shown, or `all`. */
  shown: string
  onChoose: (shift: string) => void
  search: string
  onSearch: (search: string) => void
  /** Who comes next. */
  next: BoardParty | undefined
  onWait: () => void
  onWalkIn: () => void
}

/** The controls of the board: two low lines on a phone, so that the first guest is on the first screen. */
export function BoardBar(props: BoardBarProps) {
  const { shifts, shown, onChoose, search, onSearch, next, onWait, onWalkIn } = props
  const t = useTranslations('client.service')
  return (
    <div className={classes.controls}>
      <div className={classes.tools}>
        <TextInput
          type="search"
          className={classes.search}
          aria-label={t('search')}
          placeholder={t('searchHint')}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
        <Button
          variant="default"
          className={classes.join}
          aria-label={t('wait.open')}
          title={t('wait.open')}
          onClick={onWait}
        >
          <IconHourglass size={16} aria-hidden />
          <span className={classes.word}>{t('wait.open')}</span>
        </Button>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onWalkIn}>
          {t('walkIn')}
        </Button>
      </div>
      <div className={classes.when}>
        <ShiftTabs shifts={shifts} shown={shown} onChoose={onChoose} />
        {next ? (
          <section className={classes.next} aria-label={t('next')}>
            <div className={classes.nextParty}>
              <h2>{t('nextShort')}</h2>
              <b>{next.time}</b>
              <span>
                {next.name ?? t('noName')} · {t('guests', { count: next.party_size })} ·{' '}
                {next.table_name ? t('table', { name: next.table_name }) : t('noTable')}
              </span>
            </div>
            <Allergies allergies={allergiesIn(next)} />
          </section>
        ) : null}
      </div>
    </div>
  )
}
