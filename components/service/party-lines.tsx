import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { AllergyBadges } from '@/components/customers/allergy-badges'
import { send } from '@/components/forms/send'
import { foundHref } from '@/components/reservations/found-reservation'
import { Badge } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { useDaysBefore } from '@/components/ui/use-days-ago'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { LineSource, PartyLines as Lines } from '@/lib/service/party-lines-schema'
import type { BoardParty } from './board-model'
import classes from './party-lines.module.css'
import {
  avoidItems,
  isTryDue,
  type LineItem,
  type LineState,
  nothingToAvoid,
  readAloud,
  todoItems,
  whoItems,
} from './party-lines-model'

/** Who waits longer for an answer has no connection. */
const PATIENCE_MS = 8_000

interface PartyLinesProps {
  party: BoardParty
  /** The path of guests' cards. */
  cards: string
  /** When the board was last read. */
  readAt: string
}

/**
 * Who comes, what to avoid and what to do, each with a link to where it is from. What the list knows stands at once; the
 * server adds visits, habits and complaints.
 */
export function PartyLines({ party, cards, readAt }: PartyLinesProps) {
  const t = useTranslations('client.service')
  const { answer, state } = useAnswer(party, readAt)
  const words = {
    facts: useTranslations('client.facts'),
    risk: useTranslations('client.risk'),
    ago: useDaysBefore(),
  }
  const facts = { party, answer }
  const line = (items: LineItem[], none: ReactNode) =>
    items.length > 0 ? <Items items={items} hrefOf={(source) => hrefOf(source, party, cards)} /> : none
  return (
    <section
      aria-label={t('lines.label', { name: party.name ?? t('noName') })}
      aria-busy={state === 'loading'}
    >
      <dl className={classes.lines} data-guest={party.customer_id !== null || undefined}>
        <div data-line="who">
          <dt>{t('lines.who')}</dt>
          <dd>
            {line(whoItems(facts, t, words), null)}
            <div role="status">
              {state === 'loading' ? <span className={classes.loading}>{t('lines.loading')}</span> : null}
              {state === 'offline' || state === 'failed' ? <small>{t(`lines.${state}`)}</small> : null}
              {answer ? <VisuallyHidden>{readAloud(answer, t)}</VisuallyHidden> : null}
            </div>
          </dd>
        </div>
        <div data-line="avoid">
          <dt>{t('lines.avoid')}</dt>
          <dd>{line(avoidItems(facts, t, words), nothingToAvoid(answer, t))}</dd>
        </div>
        <div data-line="todo">
          <dt>{t('lines.todo')}</dt>
          <dd>{line(todoItems(facts, t, words), t('lines.noTodo'))}</dd>
        </div>
      </dl>
    </section>
  )
}

interface ItemsProps {
  items: LineItem[]
  hrefOf: (source: LineSource) => string | null
}

function Items({ items, hrefOf }: ItemsProps) {
  return (
    <ul className={classes.items}>
      {items.map((item) => {
        const href = item.source && hrefOf(item.source)
        return (
          <li key={item.key} data-loud={item.tone === 'loud' || undefined}>
            {href ? (
              <Link href={href} prefetch={false}>
                <Shown item={item} />
              </Link>
            ) : (
              <Shown item={item} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Shown({ item }: { item: LineItem }) {
  if (item.allergy) return <AllergyBadges allergies={[item.allergy]} />
  if (item.tone === 'suggested') return <Badge tone="amber">{item.text}</Badge>
  return item.text
}

/**
 * What the server knows of a party, read when its sheet opens; after a failure again when the connection is back, and
 * with a later read of the board.
 */
function useAnswer({ id, unsaved }: BoardParty, readAt: string): { answer: Lines | null; state: LineState } {
  const [found, setFound] = useState<{ answer: Lines | null; state: LineState }>({
    answer: null,
    state: 'loading',
  })
  const [tried, setTried] = useState({ at: readAt })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads again
  useEffect(() => {
    // A walk-in that was tapped without a connection is not on the server yet.
    if (unsaved) return
    let isGone = false
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), PATIENCE_MS)
    send<Lines>('GET', `/api/service/parties/${id}`, undefined, { signal: abort.signal, stay: true }).then(
      (read) => {
        clearTimeout(timer)
        if (isGone) return
        const failed = { answer: null, state: read.ok || read.status > 0 ? 'failed' : 'offline' } as const
        setFound(read.ok ? { answer: read.data, state: 'read' } : failed)
      },
    )
    return () => {
      isGone = true
      clearTimeout(timer)
      abort.abort()
    }
  }, [id, unsaved, tried])
  const again = useEffectEvent(() => setTried({ at: readAt }))
  const isCut = found.state === 'offline'
  useEffect(() => {
    if (!isCut) return
    const listen = () => again()
    window.addEventListener('online', listen)
    return () => window.removeEventListener('online', listen)
  }, [isCut])
  // Where the network did not go, no event says that it answers again: the board's reads do.
  useEffect(() => {
    if (isTryDue(found.state, tried.at, readAt)) setTried({ at: readAt })
  }, [found.state, tried, readAt])
  return unsaved ? { answer: null, state: 'unsaved' } : found
}

/** The page of a source; null where the party has no guest to show. */
function hrefOf({ kind, id, location_id, date }: LineSource, party: BoardParty, cards: string) {
  if (kind === 'visit' || kind === 'booking')
    return location_id && date ? foundHref({ id, location_id, service_date: date }) : null
  if (kind === 'ticket') return `/tickets/${id}`
  if (!party.customer_id) return null
  // Only who may read customers gets feedback.
  return kind === 'feedback'
    ? `/customers/${party.customer_id}?kind=feedback`
    : `${cards}/${party.customer_id}`
}
