import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { addPreviews } from './preview-rule.ts';

type Preview = ReturnType<typeof addPreviews>;

function preview(changes: Partial<Preview>): Preview {
  const nothing = { source: 'access log', examined: 0, matched: 0, matched_signed_in: null } as const;
  return { ...nothing, since: null, missing: [], newest: [], ...changes };
}

function seen(datetime: string): Preview['newest'][number] {
  return { datetime, method: 'GET', url: '/', ip: '192.0.2.1', is_signed_in: null };
}

test('addPreviews adds what the hosts of a cluster logged, and leaves those without a log out', () => {
  const own = preview({
    examined: 10,
    matched: 2,
    matched_signed_in: 1,
    since: '2026-01-02T00:00:00.000Z',
    missing: ['http.cookie'],
    newest: [seen('2026-01-03T00:00:00.000Z'), seen('2026-01-02T00:00:00.000Z')],
  });
  const other = preview({
    examined: 5,
    matched: 1,
    since: '2026-01-01T00:00:00.000Z',
    newest: [seen('2026-01-04T00:00:00.000Z')],
  });
  const blind = preview({ source: 'activity log', examined: 7, matched: 7 });
  const all = addPreviews([blind, own, other]);
  deepEqual([all.source, all.examined, all.matched, all.matched_signed_in], ['access log', 15, 3, 1]);
  deepEqual([all.since, all.missing], ['2026-01-01T00:00:00.000Z', ['http.cookie']]);
  deepEqual(
    all.newest.map(({ datetime }) => datetime.slice(8, 10)),
    ['04', '03', '02'],
  );
  equal(addPreviews([blind, preview({ source: 'none' })]), blind);
});
