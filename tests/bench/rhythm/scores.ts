/** A predicted probability (0–1), and what happened. */
export interface Forecast {
  probability: number
  happened: boolean
}

/** The mean squared difference between predictions and what happened: 0 is perfect, 0.25 is as good as tossing a coin. */
export const brier = (forecasts: readonly Forecast[]): number =>
  forecasts.reduce((sum, { probability, happened }) => sum + (probability - Number(happened)) ** 2, 0) /
  forecasts.length

export interface Band {
  guests: number
  predicted: number
  happened: number
}

/** Predictions in ten equal bands, with their mean and the share that happened. Empty bands are left out. */
export function calibration(forecasts: readonly Forecast[]): Band[] {
  const bands = new Map<number, Forecast[]>()
  for (const forecast of forecasts) {
    const band = Math.min(9, Math.floor(forecast.probability * 10))
    const members = bands.get(band) ?? []
    bands.set(band, members)
    members.push(forecast)
  }
  return [...bands]
    .sort(([one], [other]) => one - other)
    .map(([, members]) => ({
      guests: members.length,
      predicted: members.reduce((sum, { probability }) => sum + probability, 0) / members.length,
      happened: members.filter(({ happened }) => happened).length / members.length,
    }))
}

/** The mean difference between prediction and share over the bands, weighted by their guests. */
export function calibrationError(forecasts: readonly Forecast[]): number {
  return (
    calibration(forecasts).reduce(
      (sum, { guests, predicted, happened }) => sum + guests * Math.abs(predicted - happened),
      0,
    ) / forecasts.length
  )
}

/** Gives each side of a yes-or-no rule the share that happened there: the best prediction that the rule allows in hindsight. */
export function inHindsight(forecasts: readonly Forecast[]): Forecast[] {
  const share = (side: number) => {
    const members = forecasts.filter(({ probability }) => probability === side)
    return members.filter(({ happened }) => happened).length / Math.max(1, members.length)
  }
  const shares = [share(0), share(1)]
  return forecasts.map(({ probability, happened }) => ({ probability: shares[probability] ?? 0, happened }))
}
