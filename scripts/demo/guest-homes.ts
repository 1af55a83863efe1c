import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { type Country, NAMES } from '../../tests/fakes/pms/names'
import { oneOf, share } from './chance'

interface Home {
  city: string | null
  language: GuestLanguage | null
}

type Cities = readonly [string, ...string[]]
const ABROAD: Record<Exclude<Country, 'ES'>, { language: GuestLanguage; prefix: string; cities: Cities }> = {
  GB: { language: 'en', prefix: '+44', cities: ['London', 'Manchester', 'Edinburgh', 'Bristol'] },
  FR: { language: 'fr', prefix: '+33', cities: ['Paris', 'Lyon', 'Toulouse', 'Bordeaux'] },
  DE: { language: 'de', prefix: '+49', cities: ['Berlin', 'München', 'Hamburg', 'Köln'] },
  PT: { language: 'pt', prefix: '+351', cities: ['Lisboa', 'Porto', 'Braga'] },
}

/** Where else guests of a city's locations live, and how many of them (0 to 1) asked for Catalan. */
const AROUND: Readonly<Record<string, { towns: Cities; catalan: number }>> = {
  Madrid: { towns: ['Getafe', 'Alcalá de Henares', 'Pozuelo de Alarcón', 'Móstoles'], catalan: 0 },
  Sevilla: { towns: ['Dos Hermanas', 'Mairena del Aljarafe', 'Alcalá de Guadaíra'], catalan: 0 },
  València: { towns: ['Torrent', 'Paterna', 'Sagunt', 'Gandia'], catalan: 0.12 },
  'Las Palmas de Gran Canaria': { towns: ['Telde', 'Arucas', 'Santa Brígida'], catalan: 0 },
  Barcelona: { towns: ['Badalona', 'L’Hospitalet de Llobregat', 'Sant Cugat del Vallès'], catalan: 0.25 },
}

/**
 * The city and the language of a guest, the same for the same key. Most have no language of their own; a guest from abroad
 * has theirs.
 * @param near the city of the location that they first booked
 */
export function guestHome(
  key: string,
  guest: { phone: string | null; last_name: string | null },
  near: string,
): Home {
  const hasCity = share(key, 'city') < 0.45
  const abroad = Object.entries(ABROAD).find(
    ([country, { prefix }]) =>
      guest.phone?.startsWith(prefix) ||
      (!guest.phone && NAMES[country as Country].last.includes(guest.last_name ?? '')),
  )?.[1]
  if (abroad)
    return {
      city: hasCity ? oneOf(key, 'which city', abroad.cities) : null,
      language: share(key, 'language') < 0.8 ? abroad.language : null,
    }
  const around = AROUND[near]
  const asked = share(key, 'language')
  const catalan = around?.catalan ?? 0
  return {
    city: hasCity
      ? around && share(key, 'town') < 0.35
        ? oneOf(key, 'which town', around.towns)
        : near
      : null,
    language: asked < catalan ? 'ca' : asked < catalan + 0.08 ? 'es' : null,
  }
}
