import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { readableEmail } from '@/lib/contact/readable-email'
import { readablePhone } from '@/lib/contact/readable-phone'
import { TEXT_FIELDS } from '@/lib/customers/guest-fields'
import { type Customer, IMPORTED } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './customer-header.module.css'

interface ContactPanelProps {
  customer: Customer
  location: string | null
  /** YYYY-MM-DD. It may be before the record was made: the PMS also sends bookings from before Sobremesa. */
  firstReservation: string | null
}

/** A customer's contact data and details; empty fields are folded away. */
export function ContactPanel({ customer, location, firstReservation }: ContactPanelProps) {
  const t = useTranslations('customer')
  const labelOf = useTranslations('client.guestFields')
  const languages = useTranslations('client.guestLanguages')
  const format = useFormatter()
  const { email, phone, emails, phones, birth_date: birthDate, language } = customer
  const since =
    firstReservation && firstReservation < customer.created_at
      ? format.dateTime(calendarDate(firstReservation), 'date')
      : format.dateTime(new Date(customer.created_at), 'instantDate')
  const fields: [label: string, value: ReactNode][] = [
    [labelOf('phone'), phone && <PhoneLink phone={phone} />],
    ...further(labelOf('phones'), phones, (one) => <PhoneLink phone={one} />),
    [labelOf('email'), email && <EmailLink email={email} />],
    ...further(labelOf('emails'), emails, (one) => <EmailLink email={one} />),
    [labelOf('birth_date'), birthDate && format.dateTime(calendarDate(birthDate), 'date')],
    ...TEXT_FIELDS.map((name): [string, ReactNode] => [labelOf(name), customer[name]]),
    [labelOf('language'), language && languages(language)],
    [t('whatsappId'), customer.whatsapp_id],
    [labelOf('location_id'), location],
    [t('source'), customer.source === IMPORTED ? t('imported') : customer.source],
    [t('since'), since],
  ]
  const unknown = fields.filter(([, value]) => !value)
  return (
    <Panel title={t('contact')}>
      <dl className={classes.fields}>
        {fields.map(([label, value]) =>
          value ? (
            <ContactField key={label} label={label}>
              {value}
            </ContactField>
          ) : null,
        )}
      </dl>
      {unknown.length > 0 ? (
        <details className={classes.unknown}>
          <summary>{t('showUnknown')}</summary>
          <dl className={classes.fields}>
            {unknown.map(([label]) => (
              <ContactField key={label} label={label}>
                <span aria-hidden>–</span>
                <VisuallyHidden>{t('unknown')}</VisuallyHidden>
              </ContactField>
            ))}
          </dl>
        </details>
      ) : null}
      {customer.notes ? (
        <div className={classes.notes}>
          <h3 className={classes.label}>{labelOf('notes')}</h3>
          <p>{customer.notes}</p>
        </div>
      ) : null}
    </Panel>
  )
}

const PhoneLink = ({ phone }: { phone: string }) => <a href={`tel:${phone}`}>{readablePhone(phone)}</a>
const EmailLink = ({ email }: { email: string }) => <a href={`mailto:${email}`}>{readableEmail(email)}</a>

/** The line of further contacts, one below the other; no line without any. */
function further(
  label: string,
  contacts: readonly string[],
  link: (contact: string) => ReactNode,
): [label: string, value: ReactNode][] {
  if (contacts.length === 0) return []
  const list = (
    <ul className={classes.further}>
      {contacts.map((contact) => (
        <li key={contact}>{link(contact)}</li>
      ))}
    </ul>
  )
  return [[label, list]]
}

/** A label and a value. */
function ContactField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.field}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{children}</dd>
    </div>
  )
}
