import { siteOf } from '@/lib/feedback/review-sites'
import classes from './survey.module.css'

interface ReviewLinksProps {
  title: string
  urls: readonly string[]
}

/** Where a guest may also review the location in public. The sites are not told where their visitor comes from. */
export function ReviewLinks({ title, urls }: ReviewLinksProps) {
  if (urls.length === 0) return null
  return (
    <section className={classes.reviews} aria-labelledby="reviews">
      <h2 id="reviews">{title}</h2>
      <ul>
        {urls.map((url) => (
          <li key={url}>
            <a href={url} className={classes.review} rel="noopener noreferrer">
              {siteOf(url)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
