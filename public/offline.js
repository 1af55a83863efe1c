// Leaves the language the person chose, else the browser's; without it the page stands in both.
const chosen = /(?:^|; )(?:__Host-)?NEXT_LOCALE=(es|en)\b/.exec(document.cookie)?.[1]
const language = chosen ?? (navigator.language.startsWith('en') ? 'en' : 'es')
for (const section of document.querySelectorAll('section[lang]')) {
  section.hidden = section.lang !== language
  if (!section.hidden) document.title = section.dataset.title
}
document.documentElement.lang = language
// This device keeps a list, and the page that shows it (sw.js).
if (localStorage.getItem('service-list-of')) for (const link of document.querySelectorAll('a[data-list]')) link.hidden = false
// Who has tapped a link goes there, also when the connection comes back at that moment.
let isLeaving = false
addEventListener('click', ({ target }) => {
  isLeaving ||= target.closest('a') !== null
})
addEventListener('online', () => isLeaving || location.reload())
