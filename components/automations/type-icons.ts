import {
  type Icon,
  IconCake,
  IconCalendarCheck,
  IconHeartHandshake,
  IconStar,
  IconUserHeart,
} from '@tabler/icons-react'
import type { AutomationType } from '@/lib/automations/types'

export const TYPE_ICONS: Record<AutomationType, Icon> = {
  birthday: IconCake,
  reengagement: IconUserHeart,
  vip_reward: IconStar,
  post_visit: IconHeartHandshake,
  reservation_confirmation: IconCalendarCheck,
}
