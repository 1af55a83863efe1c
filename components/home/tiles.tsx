import { useFormatter, useTranslations } from 'next-intl'
import { Figure, Figures } from '@/components/ui/figures'
import { AWAITED, count, EXPECTED, LOST } from '@/components/ui/service-count'
import type { ServiceFigure } from '@/lib/overview/service-summary'

/** The service in four numbers; dashes when the PMS has not been asked for it yet. */
export function Tiles({ figures, known }: { figures: readonly ServiceFigure[]; known: boolean }) {
  const t = useTranslations('home.tiles')
  const format = useFormatter()
  if (!known && figures.length === 0)
    return (
      <Figures>
        {(['reservations', 'covers', 'seated', 'lost'] as const).map((key) => (
          <Figure key={key} label={t(key)} value="–" note={t('noData')} />
        ))}
      </Figures>
    )
  const expected = count(figures, EXPECTED)
  const awaited = count(figures, AWAITED)
  const seated = count(figures, ['seated'])
  const lost = count(figures, LOST)
  const noShow = count(figures, ['no_show']).reservations
  return (
    <Figures>
      <Figure
        label={t('reservations')}
        value={format.number(expected.reservations)}
        note={t('awaitedReservations', { count: awaited.reservations })}
      />
      <Figure
        label={t('covers')}
        value={format.number(expected.covers)}
        note={t('awaitedCovers', { count: awaited.covers })}
      />
      <Figure
        label={t('seated')}
        value={format.number(seated.covers)}
        note={t('parties', { count: seated.reservations })}
      />
      <Figure
        label={t('lost')}
        value={format.number(lost.reservations)}
        note={t('lostDetail', { noShow, cancelled: lost.reservations - noShow })}
      />
    </Figures>
  )
}
