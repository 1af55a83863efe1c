import classes from './legend.module.css'

/** Which colour stands for what. */
export function Legend({ entries }: { entries: readonly { label: string; color: string }[] }) {
  return (
    <ul className={classes.root}>
      {entries.map(({ label, color }) => (
        <li key={label} className={classes.entry}>
          <span className={classes.mark} style={{ background: color }} />
          {label}
        </li>
      ))}
    </ul>
  )
}
