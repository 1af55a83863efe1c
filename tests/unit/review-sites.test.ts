import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ReviewLinks } from '@/components/feedback/review-links'
import { siteOf } from '@/lib/feedback/review-sites'

it.each([
  ['https://search.google.com/local/writereview?placeid=x', 'Google'],
  ['https://www.google.co.uk/maps/place/x', 'Google'],
  ['https://g.page/r/x/review', 'Google'],
  ['https://maps.app.goo.gl/x', 'Google'],
  ['https://www.tripadvisor.es/Restaurant_Review-g1', 'TripAdvisor'],
  ['https://www.eltenedor.es/restaurante/x', 'ElTenedor'],
  ['https://www.thefork.com/restaurant/x', 'TheFork'],
  ['https://www.lafourchette.com/x', 'TheFork'],
  ['https://www.yelp.es/biz/x', 'yelp.es'],
  // A name that only looks like a site is told as it is.
  ['https://google.com.evil.example/', 'google.com.evil.example'],
  ['https://evil-google.com/', 'evil-google.com'],
  ['https://xn--ggle-55da.com/', 'xn--ggle-55da.com'],
])('the site of %s is %s', (url, site) => {
  expect(siteOf(url)).toBe(site)
})

const shown = (urls: string[]) => renderToStaticMarkup(createElement(ReviewLinks, { title: 'Reseñas', urls }))

it('links to the sites by their names, without saying where the guest comes from', () => {
  const html = shown(['https://g.page/r/x', 'https://a.example/?a=1&b="'])
  const links = html.match(/<a .*?<\/a>/g)?.map((link) => link.replace(/ class="[^"]*"/, ''))
  expect(links).toEqual([
    '<a href="https://g.page/r/x" rel="noopener noreferrer">Google</a>',
    '<a href="https://a.example/?a=1&amp;b=&quot;" rel="noopener noreferrer">a.example</a>',
  ])
})

it('says nothing where there is no page to lead to', () => {
  expect(shown([])).toBe('')
})
