import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { describeItem, readLines } from './list.ts';

test('readLines reads one item from each line with its comment, and names the line of what it cannot read', () => {
  deepEqual(readLines('192.0.2.7 # desk\n\n# nothing\n198.51.100.0/24', 'ip'), {
    items: [{ ip: '192.0.2.7', comment: 'desk' }, { ip: '198.51.100.0/24' }],
    lineOfItem: [1, 4],
    problems: [],
  });
  deepEqual(readLines('as64496\nsomewhere', 'asn'), {
    items: [{ asn: 64_496 }],
    lineOfItem: [1],
    problems: ['Line 2: somewhere is not an AS number'],
  });
  deepEqual(
    readLines('a.example/ https://b.example/ 301\na.example/\na.example/ b.example/ 200', 'redirect'),
    {
      items: [{ redirect: { source_url: 'a.example/', target_url: 'https://b.example/', status_code: 301 } }],
      lineOfItem: [1],
      problems: [
        'Line 2: a redirect needs a source and a target, separated by a space',
        'Line 3: 200 is not 301, 302, 307 or 308',
      ],
    },
  );
});

test('describeItem writes an item as people know it', () => {
  const facts = { id: 'x', created_on: '', modified_on: '' };
  deepEqual(
    [
      describeItem({ ...facts, asn: 64_496 }),
      describeItem({ ...facts, redirect: { source_url: 'a/', target_url: 'b/', status_code: 308 } }),
    ],
    ['AS64496', 'a/ → b/ (308)'],
  );
});
