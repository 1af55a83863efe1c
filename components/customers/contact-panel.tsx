import { useFormatter, useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import { readablePhone } from '@/components/ui/phone'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import { ContactField } from './contact-field'
import classes from './contact-panel.module.css'

interface ContactPanelProps {
  customer: Customer
  location: string | null
  /** YYYY-MM-DD; a booking is older than the record when it came with the history. */
  firstReservation: string | null
}

/** How to reach a customer, and what is known of them. */
export function ContactPanel({ customer, location, firstReservation }: ContactPanelProps) {
  const t = useTranslations('customer')
  const format = useFormatter()
  const { email, phone, birth_date: birthDate } = customer
  const work = [customer.job_title, customer.company].filter(Boolean).join(' · ')
  return (
    <Panel title={t('contact')}>
      <dl className={classes.fields}>
        <ContactField label={t('phone')}>
          {phone ? <a href={`tel:${phone}`}>{readablePhone(phone)}</a> : null}
        </ContactField>
        {customer.whatsapp_id ? (
          <ContactField label={t('whatsappId')}>{customer.whatsapp_id}</ContactField>
        ) : null}
        <ContactField label={t('email')}>
          {email ? <a href={`mailto:${email}`}>{email}</a> : null}
        </ContactField>
        <ContactField label={t('birthDate')}>
          {birthDate ? format.dateTime(calendarDate(birthDate), 'date') : null}
        </ContactField>
        <ContactField label={t('company')}>{work}</ContactField>
        <ContactField label={t('address')}>{customer.address}</ContactField>
        <ContactField label={t('location')}>{location}</ContactField>
        <ContactField label={t('source')}>{customer.source}</ContactField>
        <ContactField label={t('since')}>
          {firstReservation && firstReservation < customer.created_at
            ? format.dateTime(calendarDate(firstReservation), 'date')
            : format.dateTime(new Date(customer.created_at), 'instantDate')}
        </ContactField>
      </dl>
      {customer.notes ? (
        <div className={classes.notes}>
          <h3 className={classes.label}>{t('notes')}</h3>
          <p>{customer.notes}</p>
        </div>
      ) : null}
    </Panel>
  )
}
