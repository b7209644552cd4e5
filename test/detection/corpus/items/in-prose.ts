/** Attacks after, before and inside prose: a sentence does not hide them. */
import type { Attack } from '../attacks.ts';
import { places } from '../places.ts';
import { Random, seedFrom } from '../random.ts';
import { payloads } from './lines.ts';

const positions: Readonly<Record<string, (payload: string) => string>> = {
  'behind a sentence': (payload) => `Hello, thank you for the nice article. ${payload}`,
  'behind a name': (payload) => `Best wishes from Maria and Joseph ${payload}`,
  'behind paragraphs': (payload) =>
    `Dear team,\n\nI ordered two lamps last week and they have not come yet.\nCould you look into it, please?\n\n${payload}`,
  'behind another language': (payload) =>
    `Vielen Dank für den schönen Artikel, er hat mir sehr geholfen. ${payload}`,
  'before a sentence': (payload) => `${payload} Thank you for the nice article, it helped me a lot.`,
  'inside of a sentence': (payload) => `I wanted to say ${payload} and thank you for the article.`,
  'between lines': (payload) =>
    `First of all, thank you very much.\n${payload}\nSecond, I would like to return the lamp.`,
};

export function listAttacksInProse(): readonly Attack[] {
  return Object.entries(positions).flatMap(([position, write]) =>
    payloads.flatMap(({ kind, value }) =>
      ['form', 'json'].map((placeName): Attack => {
        const place = places.find(({ name }) => name === placeName)!;
        const written = write(value);
        const random = new Random(seedFrom(`${position} ${value} ${placeName}`));
        const request = place.build({ value: written, name: 'comment', random, transport: {} });
        return { class: kind, place: placeName, disguise: position, payload: written, request };
      }),
    ),
  );
}
