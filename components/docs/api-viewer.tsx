'use client'
import 'swagger-ui-dist/swagger-ui.css'
import { useComputedColorScheme } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { Skeleton } from '@/components/ui/page-skeleton'
import classes from './api-viewer.module.css'

/** Swagger UI on an OpenAPI document of this server; the viewer is part of the build and loaded when shown. */
export function ApiViewer({ url }: { url: string }) {
  const t = useTranslations('client.docs')
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const dark = useComputedColorScheme('light') === 'dark'

  useEffect(() => {
    let gone = false
    import('swagger-ui-dist/swagger-ui-es-bundle').then(
      ({ default: SwaggerUI }) => {
        if (gone || !place.current) return
        // No validator: it would send the description to another site.
        SwaggerUI({
          domNode: place.current,
          url,
          validatorUrl: null,
          docExpansion: 'list',
          filter: true,
          plugins: [followLoading((status) => setState(status === 'success' ? 'shown' : 'failed'))],
        })
      },
      () => setState('failed'),
    )
    return () => {
      gone = true
    }
  }, [url])

  // The viewer's styles need this class on the document element.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', dark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [dark])

  return (
    <div className={classes.viewer}>
      {/* Until the viewer brings its own main landmark. */}
      {state !== 'shown' && (
        <main>
          {state === 'loading' ? (
            <div role="status" aria-label={t('loading')}>
              <Skeleton height={480} />
            </div>
          ) : (
            <p role="alert">{t('failed')}</p>
          )}
        </main>
      )}
      <div ref={place} />
    </div>
  )
}

/** A plugin of the viewer that reports how loading the document ended: `success`, or another word for a failure. */
const followLoading = (onEnd: (status: string) => void) => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateLoadingStatus: (original: (status: string) => unknown) => (status: string) => {
          if (status !== 'loading') onEnd(status)
          return original(status)
        },
      },
    },
  },
})
