import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TestControl } from './harness.ts';
import { eventId, piecesOf, type SecurityEvent, SecurityZone, textOf } from './security-zone.ts';

let control: TestControl;
let zone: SecurityZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new SecurityZone(control, 'enterprise');
});
afterEach(() => control.close());

test('security.export writes NDJSON, oldest first, of what the search finds', async () => {
  await zone.record([
    { number: 1, agoMs: 3, action: 'log' },
    { number: 2, agoMs: 2, userAgent: 'line\nbreak "quoted" ü' },
    { number: 3, agoMs: 1 },
  ]);
  const answer = await zone.answer(`${zone.events}/export?where=action:eq:block`);
  deepEqual([answer.status, answer.headers['content-type']], [200, 'application/x-ndjson; charset=utf-8']);
  match(answer.headers['content-disposition']!, /^attachment; filename="events-[\w.-]+\.ndjson"$/);
  const lines = (await textOf(answer)).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as SecurityEvent);
  deepEqual(
    events.map(({ id }) => id),
    [eventId(2), eventId(3)],
  );
  equal(events[0]!.userAgent, 'line\nbreak "quoted" ü');
});

test('security.export writes CSV that no spreadsheet takes for formulas', async () => {
  await zone.record([
    {
      number: 1,
      userAgent: '=HYPERLINK("http://evil.example","click")',
      clientRequestPath: '+1,2',
      clientRequestQuery: '-2',
      description: '@SUM(A1)\r\nnext',
      ref: '\t=1',
      clientRefererPath: 'a"b,c',
      metadata: [{ key: 'k', value: 'v' }],
    },
  ]);
  const answer = await zone.answer(`${zone.events}/export?format=csv`);
  match(answer.headers['content-type']!, /^text\/csv/);
  const [head, row] = readCsv(await textOf(answer)) as [string[], string[]];
  const cell = (name: string): string => row[head.indexOf(name)]!;
  equal(cell('userAgent'), `'=HYPERLINK("http://evil.example","click")`);
  equal(cell('clientRequestPath'), `'+1,2`);
  equal(cell('clientRequestQuery'), `'-2`);
  equal(cell('description'), `'@SUM(A1)\r\nnext`);
  equal(cell('ref'), `'\t=1`);
  equal(cell('clientRefererPath'), 'a"b,c');
  equal(cell('edgeResponseStatus'), '403');
  equal(cell('metadata'), '[{"key":"k","value":"v"}]');
  equal(row.length, head.length);
});

/** As RFC 4180 has it. */
function readCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((line) =>
      Array.from(line.matchAll(/"((?:[^"]|"")*)"|([^,]+)|(?<=,|^)(?=,|$)/g), ([, quoted, bare]) =>
        quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'),
      ),
    );
}

test('security.export of nothing is an empty file, with its head in CSV', async () => {
  equal(await textOf(await zone.answer(`${zone.events}/export`)), '');
  match(await textOf(await zone.answer(`${zone.events}/export?format=csv`)), /^[\w,]+\r\n$/);
});

test('security.export reads a page when the client has taken the one before, and stops when it leaves', async () => {
  const count = 1_200;
  await zone.record(Array.from({ length: count }, (_, index) => ({ number: index, agoMs: 10_000 - index })));
  const pieces = piecesOf(await zone.answer(`${zone.events}/export`));
  const first = (await pieces.next()).value!;
  equal(first.split('\n').length - 1, 500);
  // Events added to a range that was not read yet are in the export: nothing is read ahead.
  await zone.record([{ number: 5_000, agoMs: 10_000 - 700.5 }]);
  let rest = '';
  for await (const piece of pieces) {
    equal(piece.length < 1_000_000, true);
    rest += piece;
  }
  equal(rest.split('\n').length - 1, count + 1 - 500);
  const left = piecesOf(await zone.answer(`${zone.events}/export`));
  await left.next();
  equal((await left.return(undefined)).done, true);
});
