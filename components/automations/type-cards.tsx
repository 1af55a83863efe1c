import {
  type Icon,
  IconCake,
  IconCalendarCheck,
  IconCalendarX,
  IconHeartHandshake,
  IconStar,
  IconUserHeart,
} from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { AUTOMATION_TYPES, type AutomationType } from '@/lib/automations/types'
import classes from './automations.module.css'

/** The types of automation in plain words, each with a link to its editor. */
export function TypeCards() {
  const t = useTranslations('automations.choose')
  const words = useTranslations('client.automations')
  return (
    <ul className={classes.cards} aria-label={t('list')}>
      {AUTOMATION_TYPES.map((type) => {
        const Picture = TYPE_ICONS[type]
        return (
          <li key={type}>
            <Link href={`/automations/new?type=${type}`} className={classes.card}>
              <span className={classes.icon}>
                <Picture size={20} stroke={1.7} aria-hidden />
              </span>
              <strong>{words(`types.${type}`)}</strong>
              <span>{words(`explains.${type}`)}</span>
              <small>{t(`examples.${type}`)}</small>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const TYPE_ICONS: Record<AutomationType, Icon> = {
  birthday: IconCake,
  reengagement: IconUserHeart,
  vip_reward: IconStar,
  post_visit: IconHeartHandshake,
  no_show: IconCalendarX,
  reservation_confirmation: IconCalendarCheck,
}
