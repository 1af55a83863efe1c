import classes from './tier-badge.module.css'

/** A customer's loyalty tier; nothing for someone without one. The name is the organization's own. */
export function TierBadge({ tier }: { tier: { name: string } | null | undefined }) {
  if (!tier) return null
  return <span className={classes.tier}>{tier.name}</span>
}
