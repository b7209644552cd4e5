import type { RequestText } from './text.ts';

/** Slots before the first growth: an ordinary request has some fifty values. */
const placesMin = 128;

/**
 * Slots that are examined for a value. If a client sends values with equal samples, the table forgets some of them
 * instead of searching for long.
 */
const probesMax = 8;

/**
 * The texts of one request by their values, hashed by samples. A `Map` is unsuitable for values that never recur: V8
 * puts each key into a table of all strings of the process, in memory that is collected last.
 */
export class TextTable {
  #places: (RequestText | undefined)[] = createPlaces(placesMin);
  #count = 0;

  /** Undefined for a value that is not in the table, or for which there was no room. */
  find(value: string, sample: number): RequestText | undefined {
    const places = this.#places;
    const last = places.length - 1;
    for (let probe = 0; probe < probesMax; probe++) {
      const text = places[(sample + probe) & last];
      if (text === undefined) return undefined;
      if (text.sample === sample && text.value === value) return text;
    }
    return undefined;
  }

  add(text: RequestText): void {
    if (++this.#count * 2 > this.#places.length) this.#grow();
    put(this.#places, text);
  }

  #grow(): void {
    const places = createPlaces(this.#places.length * 2);
    for (const text of this.#places) if (text !== undefined) put(places, text);
    this.#places = places;
  }
}

function createPlaces(length: number): (RequestText | undefined)[] {
  const places: (RequestText | undefined)[] = [];
  places.length = length;
  return places;
}

function put(places: (RequestText | undefined)[], text: RequestText): void {
  for (let probe = 0; probe < probesMax; probe++) {
    const place = (text.sample + probe) & (places.length - 1);
    if (places[place] !== undefined) continue;
    places[place] = text;
    return;
  }
}
