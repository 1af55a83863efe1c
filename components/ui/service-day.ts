export {
  currentServiceDay,
  localTime,
  serviceHour,
  serviceMinute,
  weekStart,
} from '@/lib/reservations/service-day'
