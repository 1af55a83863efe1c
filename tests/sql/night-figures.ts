import { serviceDay } from './night-clock'
import type { NightModel } from './night-model'
import type { Booking, Place, Setup } from './night-rules'

const euro = (value: number) => Math.round(value * 100) / 100
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

/** Bookings, figures of the days, and guests, as the test reads them back. */
export function stateOf(model: NightModel, setup: Setup) {
  const all = [...model.bookings.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    bookings: all.map((each) => [
      ...[each.name, each.place, each.date, each.time, each.size, each.status, each.table],
      ...[each.arrived, each.seated, each.finished, each.amount, model.visited(each), each.code, each.walkIn],
      Object.fromEntries(
        Object.entries(each.marks).map(([field, value]) => [field === 'table' ? 'table_name' : field, value]),
      ),
      each.joined,
    ]),
    days: [...Map.groupBy(all, (each) => `${each.place} ${serviceDay(each.date, each.time)}`)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, some]) => [day, ...figures(model, some)]),
    guests: [...Map.groupBy(all, ({ guest }) => guest)]
      .flatMap(([guest, own]) => (guest === null ? [] : [guestOf(model, setup, guest, own)]))
      .sort((a, b) => (a[0] < b[0] ? -1 : 1)),
  }
}

function figures(model: NightModel, all: Booking[]) {
  const come = all.filter(({ status }) => status !== 'cancelled' && status !== 'no_show')
  const came = all.filter((each) => model.visited(each))
  const count = (status: string) => all.filter((each) => each.status === status).length
  const covers = (some: Booking[]) => sum(some.map(({ size }) => size))
  return [
    ...[all.length, come.length, covers(come), came.length, count('cancelled'), count('no_show')],
    ...[come.filter(({ walkIn }) => walkIn).length, euro(sum(came.map(({ amount }) => amount ?? 0)))],
    covers(came.filter(({ amount }) => amount === null)),
  ]
}

function guestOf(model: NightModel, { average }: Setup, guest: number, own: Booking[]) {
  const came = own.filter((each) => model.visited(each))
  const spend = came.map(({ amount, size }) => amount ?? size * (average ?? 0))
  const days = came.map(({ date, time }) => serviceDay(date, time)).sort()
  return [`guest${guest}@correo.example`, came.length, euro(sum(spend)), days.at(-1) ?? null] as const
}

/** The weeks of the report: services that are over, and what is booked from today on. */
export function reportOf(model: NightModel, { average }: Setup) {
  const all = [...model.bookings.values()]
  const places = (['A', 'B'] as const).map((place) => weekOf(model, average, all, place))
  return { over: places }
}

function weekOf(model: NightModel, average: number | null, all: Booking[], place: Place) {
  const over = all.filter((each) => each.place === place && serviceDay(each.date, each.time) < model.today)
  const ahead = all.filter((each) => each.place === place && serviceDay(each.date, each.time) >= model.today)
  const [, reservations, covers, visits, cancelled, noShows, , known, unknown] = figures(
    model,
    over,
  ) as number[]
  const [, booked, bookedCovers] = figures(model, ahead)
  const revenue = euro((known ?? 0) + (unknown ?? 0) * (average ?? 0))
  return [place, reservations, covers, visits, cancelled, noShows, revenue, booked, bookedCovers]
}
