/** Minutes that parties usually stay, by the largest party size they are for, where a location says nothing else. */
export const USUAL_STAYS: Readonly<Record<string, number>> = { 2: 90, 4: 120, 99: 150 }
