/** The tiers every organization starts with, in Spanish and English; app/globals.css has the colours. */
const METALS: Readonly<Record<string, string>> = {
  ...{ bronce: 'bronze', plata: 'silver', oro: 'gold', platino: 'platinum' },
  ...{ bronze: 'bronze', silver: 'silver', gold: 'gold', platinum: 'platinum' },
}

/** The CSS colour of a tier named after a metal; undefined for a name of the organization's own. */
export function metalOf(tier: string): string | undefined {
  const metal = METALS[tier.trim().toLowerCase()]
  return metal && `var(--${metal})`
}
