import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { briefly, problemsOf, valueOf } from '../../testing.ts';
import { check } from '../testing.ts';

function route(action_parameters: unknown): object {
  return { action: 'route', expression: 'true', action_parameters };
}

test('checkRoute gives back what was sent', () => {
  for (const rule of [
    route({ host_header: 'app.example:8080' }),
    route({ origin: { port: 8443 } }),
    route({ origin: { host: '2001:db8::1', port: 1 }, sni: { value: 'a.example' } }),
  ])
    deepEqual(valueOf(check('origin', rule)), { ...rule, enabled: true });
});

const place = '/action_parameters';
const refused: readonly [object, string, RegExp][] = [
  [{ action: 'route', expression: 'true' }, `20903 ${place}`, /needs it/],
  [{ action: 'redirect', expression: 'true' }, '20907 /action', /only the actions route/],
  [route({}), `20903 ${place}`, /host_header, origin or sni/],
  [route({ origin: {} }), `20903 ${place}/origin`, /host, port or both/],
  [route({ host: 'a' }), `20902 ${place}/host`, /./],
  [route({ host_header: 'a b' }), `20915 ${place}/host_header`, /host name/],
  [route({ host_header: 'a\r\nb: c' }), `20915 ${place}/host_header`, /host name/],
  [route({ host_header: 'a.example:99999' }), `20915 ${place}/host_header`, /host name/],
  [route({ origin: { host: 'https://a.example' } }), `20915 ${place}/origin/host`, /host name or an address/],
  [route({ origin: { port: 0 } }), `20904 ${place}/origin/port`, /./],
  [route({ sni: {} }), `20903 ${place}/sni/value`, /./],
  [route({ sni: { value: 'a/b' } }), `20915 ${place}/sni/value`, /host name/],
];

for (const [rule, problem, reason] of refused) {
  test(`checkRoute refuses ${JSON.stringify(rule)}`, () => {
    const checked = check('origin', rule);
    deepEqual(briefly(checked), [problem]);
    match(problemsOf(checked)[0]!.message, reason);
  });
}

test('rules of http_request_sbfm are refused in words', () => {
  const checked = check('bots', { action: 'block', expression: 'true' });
  deepEqual(briefly(checked), ['20907 /action']);
  match(problemsOf(checked)[0]!.message, /no Super Bot Fight Mode here/);
});
