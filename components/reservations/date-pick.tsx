'use client'
import { Button } from '@mantine/core'
import { useClickOutside, useDisclosure } from '@mantine/hooks'
import { IconCalendar } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { Skeleton } from '@/components/ui/page-skeleton'
import { useUrlParameter } from '@/components/ui/use-url-parameter'
import classes from './day-nav.module.css'

// The calendar is loaded with the first click on the date.
const Calendar = dynamic(() => import('./calendar'), {
  ssr: false,
  loading: () => <Skeleton height={270} width={252} />,
})

/** The day shown, and a calendar to choose another. */
export function DatePick({ date, today, shown }: { date: string; today: string; shown: string }) {
  const t = useTranslations('client.datePick')
  const { pending, set } = useUrlParameter('date')
  const [opened, { toggle, close }] = useDisclosure(false)
  const area = useClickOutside(close)
  const button = useRef<HTMLButtonElement>(null)

  function choose(next: string) {
    leave()
    set(next === today ? '' : next)
  }

  function leave() {
    close()
    button.current?.focus()
  }

  return (
    <div ref={area} className={classes.pick}>
      <Button
        ref={button}
        variant="default"
        fullWidth
        onClick={toggle}
        loading={pending}
        leftSection={<IconCalendar size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        aria-label={t('label', { date: shown })}
      >
        {shown}
      </Button>
      {opened ? (
        <div
          role="dialog"
          aria-label={t('title')}
          className={classes.calendar}
          onKeyDown={(event) => event.key === 'Escape' && leave()}
        >
          <Calendar date={date} onChoose={choose} />
        </div>
      ) : null}
    </div>
  )
}
