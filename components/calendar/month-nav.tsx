import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { ViewSwitch } from '@/components/ui/view-switch'
import { type CalendarView, calendarHref } from './calendar-query'
import { addMonths } from './month'
import classes from './month-nav.module.css'

/** Links to other months, and between month and agenda. */
export function MonthNav({ shown }: { shown: CalendarView }) {
  const t = useTranslations('calendar')
  const thisMonth = shown.today.slice(0, 7)
  // Without a choice the window's width decides which view is shown, so both links are rendered.
  const switches = shown.view ? [shown.view] : (['month', 'agenda'] as const)
  return (
    <>
      <nav className={classes.months} aria-label={t('months')}>
        <LinkButton
          square
          href={calendarHref(shown, { month: addMonths(shown.month, -1) })}
          aria-label={t('previous')}
        >
          <IconChevronLeft size={18} aria-hidden />
        </LinkButton>
        <LinkButton
          href={calendarHref(shown, { month: thisMonth })}
          aria-current={shown.month === thisMonth ? 'date' : undefined}
        >
          {t('today')}
        </LinkButton>
        <LinkButton
          square
          href={calendarHref(shown, { month: addMonths(shown.month, 1) })}
          aria-label={t('next')}
        >
          <IconChevronRight size={18} aria-hidden />
        </LinkButton>
      </nav>
      {switches.map((current) => (
        <div key={current} className={classes.switch} data-only={shown.view ? undefined : current}>
          <ViewSwitch
            label={t('view')}
            views={(['month', 'agenda'] as const).map((view) => ({
              href: calendarHref(shown, { view }),
              text: t(view),
              current: view === current,
            }))}
          />
        </div>
      ))}
    </>
  )
}
