// Leaves the language the person chose, else the browser's; without it the page stands in both.
const chosen = /(?:^|; )(?:__Host-)?NEXT_LOCALE=(es|en)\b/.exec(document.cookie)?.[1]
const language = chosen ?? (navigator.language.startsWith('en') ? 'en' : 'es')
for (const section of document.querySelectorAll('section[lang]')) {
  section.hidden = section.lang !== language
  if (!section.hidden) document.title = section.dataset.title
}
document.documentElement.lang = language
addEventListener('online', () => location.reload())
