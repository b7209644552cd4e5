import type { Text } from './text.ts';

/** Places before the first growth: an ordinary request has some fifty values. */
const placesMin = 128;

/**
 * Places that are looked at for a value. Who sends values whose samples are all alike makes the table forget some of them,
 * not search for long.
 */
const probesMax = 8;

/**
 * The texts of one request by their values, which are told apart by samples. A `Map` is none for values that never come
 * again: V8 puts each text that it is asked for into a table of all texts of the process, in memory that is collected last.
 */
export class TextTable {
  #places: (Text | undefined)[] = createPlaces(placesMin);
  #count = 0;

  /** Undefined for a value that is not there, or that had no room. */
  find(value: string, sample: number): Text | undefined {
    const places = this.#places;
    const last = places.length - 1;
    for (let probe = 0; probe < probesMax; probe++) {
      const text = places[(sample + probe) & last];
      if (text === undefined) return undefined;
      if (text.sample === sample && text.value === value) return text;
    }
    return undefined;
  }

  add(text: Text): void {
    if (++this.#count * 2 > this.#places.length) this.#grow();
    put(this.#places, text);
  }

  #grow(): void {
    const places = createPlaces(this.#places.length * 2);
    for (const text of this.#places) if (text !== undefined) put(places, text);
    this.#places = places;
  }
}

function createPlaces(length: number): (Text | undefined)[] {
  const places: (Text | undefined)[] = [];
  places.length = length;
  return places;
}

function put(places: (Text | undefined)[], text: Text): void {
  for (let probe = 0; probe < probesMax; probe++) {
    const place = (text.sample + probe) & (places.length - 1);
    if (places[place] !== undefined) continue;
    places[place] = text;
    return;
  }
}
