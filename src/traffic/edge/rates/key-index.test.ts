import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { KeyIndex } from './key-index.ts';

test('KeyIndex finds each of many keys at its place, also while others come and go', () => {
  const placesMax = 1_000;
  const index = new KeyIndex(placesMax, { values: new Uint32Array(placesMax * 3), perPlace: 3, at: 2 });
  const places = new Map<string, number>();
  const keys: string[] = [];
  for (let number = 0; number < 20_000; number++) {
    const key = `zone\nrule\n=192.0.2.${number}`;
    let place = number;
    if (number >= placesMax) {
      place = (number * 7_919) % placesMax;
      index.remove(keys[place]!, place);
      places.delete(keys[place]!);
    }
    keys[place] = key;
    index.add(key, place);
    places.set(key, place);
    if (number % 500 === 499) for (const [known, at] of places) equal(index.find(known), at, known);
  }
  for (let number = 0; number < 20_000; number++) {
    const key = `zone\nrule\n=192.0.2.${number}`;
    equal(index.find(key), places.get(key), key);
  }
});
