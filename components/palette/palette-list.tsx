import { IconArrowRight, IconCalendarEvent, IconUser } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { PaletteItem } from './item'
import classes from './palette.module.css'

const KINDS = ['pages', 'customers', 'reservations'] as const
const ICONS = { pages: IconArrowRight, customers: IconUser, reservations: IconCalendarEvent }

interface PaletteListProps {
  id: string
  /** In the order of KINDS. */
  items: PaletteItem[]
  active: number
  onPoint: (index: number) => void
  onOpen: (item: PaletteItem) => void
}

/** What was found, grouped. The focus stays in the input, which names the active option. */
export function PaletteList({ id, items, active, onPoint, onOpen }: PaletteListProps) {
  const t = useTranslations('client.palette')
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const numbered = items.map((item, index) => ({ item, index }))
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t('results')} className={classes.list}>
      {KINDS.map((kind) => {
        const group = numbered.filter(({ item }) => item.kind === kind)
        const Icon = ICONS[kind]
        return group.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
            <div id={`${id}-${kind}`} className={classes.kind} role="presentation">
              {t(`kinds.${kind}`)}
            </div>
            {group.map(({ item, index }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
              // biome-ignore lint/a11y/useFocusableInteractive: the focus is the input's
              <div
                key={`${item.href} ${item.detail}`}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                className={classes.option}
                onMouseMove={() => index !== active && onPoint(index)}
                onClick={() => onOpen(item)}
              >
                <Icon size={16} aria-hidden />
                <span className={classes.label}>{item.label}</span>
                {item.detail ? (
                  <span className={classes.detail}>
                    {item.detail}
                    {item.guests ? ` · ${t('guests', { count: item.guests })}` : null}
                  </span>
                ) : null}
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}
