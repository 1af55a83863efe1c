const list = (text: string) => text.split(' ')

/** First and last names by country; Spanish people take two last names, the others one. */
export const NAMES = {
  ES: {
    first: list(
      'María Lucía Carmen Ana Laura Marta Sofía Elena Paula Cristina Raquel Nuria Beatriz Inés Rocío Begoña ' +
        'Montserrat Núria Macarena Candelaria Yaiza Ainhoa Noelia Ángela Irene Alba Claudia Julia Pilar Teresa ' +
        'José Antonio Manuel Francisco Javier David Daniel Carlos Miguel Rafael Ángel Jesús Álvaro Sergio Pablo ' +
        'Adrián Rubén Óscar Íñigo Jordi Joan Andrés Fermín Gonzalo Hugo Mateo Martín Iván Víctor Ramón Tomás',
    ),
    last: list(
      'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández ' +
        'Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez ' +
        'Serrano Blanco Molina Morales Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina ' +
        'Garrido Cortés Castillo Santos Lozano Guerrero Cano Prieto Méndez Cruz Calvo Gallego Vidal León Márquez ' +
        'Peña Cabrera Santana Vega Ibáñez Ybarra Castaño Nuñez Puig Ferrer Soler Vilà Quiñones Briñas Zúñiga',
    ),
  },
  GB: {
    first: list('Emma Oliver Charlotte George Sophie Harry Alice Thomas Grace William Zoë Callum'),
    last: list("Smith Jones Taylor Brown Wilson Davies O'Connor Walker Hughes Bennett Clarke Murray"),
  },
  FR: {
    first: list('Camille Léa Chloé Hélène Amélie François Jérôme Lucas Théo Benoît Élodie Mathieu'),
    last: list('Dubois Lefèvre Moreau Girard Fournier Lambert Mercier Rousseau Béranger Chevalier'),
  },
  DE: {
    first: list('Anna Jürgen Katharina Lukas Sabine Björn Heike Matthias Käthe Stefan Jonas Ulrike'),
    last: list('Müller Schmidt Schneider Weiß Fischer Becker Schäfer Krüger Hoffmann Vogel'),
  },
  PT: {
    first: list('João Inês Beatriz Tiago Mariana Gonçalo Conceição Rui Catarina Luís'),
    last: list('Silva Santos Ferreira Pereira Gonçalves Araújo Simões Carvalho Teixeira Magalhães'),
  },
} as const

export type Country = keyof typeof NAMES

/** A text in plain ASCII letters: accents and tildes gone, ß as ss. */
export function unaccented(text: string): string {
  return text.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}
