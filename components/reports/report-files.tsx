import { IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'next-intl'
import { MoreMenu } from '@/components/ui/more-menu'
import { REPORTS, type ReportsQuery, reportsExport } from '@/lib/reports/schema'

const ICONS = { csv: IconFileTypeCsv, xlsx: IconFileSpreadsheet }

/** A menu of downloads: each report as CSV and Excel. */
export function ReportFiles({ query }: { query: ReportsQuery }) {
  const t = useTranslations('reports.files')
  const language = useLocale()
  return (
    <MoreMenu label={t('label')}>
      {REPORTS.flatMap((report) =>
        (['csv', 'xlsx'] as const).map((format) => {
          const Icon = ICONS[format]
          return (
            <a
              key={report + format}
              href={reportsExport.href({ ...query, report, format, language })}
              download
            >
              <Icon size={16} aria-hidden />
              {t(`${report}.${format}`)}
            </a>
          )
        }),
      )}
    </MoreMenu>
  )
}
