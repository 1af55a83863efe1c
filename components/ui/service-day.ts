export {
  currentServiceDay,
  dateInService,
  isAfterMidnight,
  localTime,
  serviceDayOf,
  serviceHour,
  serviceMinute,
  weekStart,
} from '@/lib/reservations/service-day'
