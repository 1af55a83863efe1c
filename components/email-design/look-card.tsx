import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Panel } from '@/components/ui/panel'
import { lookFor, NO_LOOK, USUAL_COLOR } from '@/lib/email-design/look'
import type { BrandLook } from '@/lib/email-design/records'
import { ChangeLook } from './change-look'
import classes from './look-card.module.css'
import { LookSample } from './look-sample'

const FIELDS = ['color', 'button_color', 'sender_name', 'from_email', 'reply_to', 'footer'] as const
type Field = (typeof FIELDS)[number]

interface LookCardProps {
  /** The brand; null for the group. */
  brandId: string | null
  /** The brand's name, or the group's. */
  name: string
  /** The group's name, from whom e-mails are unless a look names someone. */
  group: string
  looks: readonly BrandLook[]
  /** Whether the person may change looks, and the addresses in them. */
  may: { change: boolean; address: boolean }
}

/** How the e-mails of a brand look, or of the group: what is set, what comes from the group, and a sample. */
export function LookCard({ brandId, name, group, looks, may }: LookCardProps) {
  const t = useTranslations('campaigns.look')
  const words = useTranslations('client.emailDesign.look')
  const own = looks.find(({ brand_id }) => brand_id === brandId) ?? null
  const hasOwn = own !== null && [...FIELDS, 'logo' as const].some((field) => own[field] !== null)
  const look = { ...NO_LOOK, logo_url: null, ...lookFor(looks, [brandId]) }
  const usual: Record<Field, string> = {
    color: t('usual', { value: USUAL_COLOR }),
    button_color: t('asColor'),
    sender_name: t('usual', { value: group }),
    from_email: t('integration'),
    reply_to: t('toSender'),
    footer: t('noFooter'),
  }
  const said = (field: Field) => {
    const value = look[field]
    if (value === null) return usual[field]
    return brandId && hasOwn && own[field] === null ? t('ofGroup', { value }) : value
  }
  const colors: Partial<Record<Field, string>> = {
    color: look.color ?? USUAL_COLOR,
    button_color: look.button_color ?? look.color ?? USUAL_COLOR,
  }
  return (
    <Panel
      title={name}
      aside={
        may.change ? (
          <ChangeLook
            brandId={brandId}
            name={name}
            look={own}
            mayAddress={may.address}
            text={t('change')}
            label={t('changeOf', { name })}
          />
        ) : null
      }
    >
      <p className={classes.hint}>{t(brandId === null ? 'group' : hasOwn ? 'own' : 'asGroup')}</p>
      <div className={classes.columns}>
        <dl className={classes.facts}>
          {FIELDS.map((field) => (
            <Fact key={field} name={words(field)} color={colors[field]}>
              {said(field)}
            </Fact>
          ))}
        </dl>
        <LookSample
          of={name}
          color={look.color ?? ''}
          button={look.button_color ?? ''}
          logo={look.logo_url}
          sender={look.sender_name ?? group}
          footer={look.footer ?? ''}
        />
      </div>
    </Panel>
  )
}

interface FactProps {
  name: string
  /** The colour that a chip shows. */
  color?: string
  children: ReactNode
}

function Fact({ name, color, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {color ? <span className={classes.chip} style={{ backgroundColor: color }} aria-hidden /> : null}
        {children}
      </dd>
    </div>
  )
}
