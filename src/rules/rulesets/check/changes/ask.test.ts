import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { briefly, problemsOf, valueOf } from '../../testing.ts';
import { check } from '../testing.ts';

const object = {
  worker: 'reputation',
  class_name: 'Visitor',
  name: { expression: 'to_string(ip.src)' },
};

function ask(more: object = {}, action = 'ask'): object {
  return {
    action,
    expression: 'http.request.uri.path eq "/a"',
    action_parameters:
      action === 'ask'
        ? { object, default_action: 'pass', ...more }
        : { url: 'https://auth.example/verify', default_action: 'block', ...more },
  };
}

test('checkAsk takes objects and URLs, and gives them back as they were sent', () => {
  for (const rule of [
    ask(),
    ask({ object: { ...object, name: { value: 'everybody' } }, timeout_ms: 50, keep_seconds: 10 }),
    ask({ send: ['address'], send_headers: ['Cookie', 'X-Key'], copy_headers: ['X-User'] }),
    ask({}, 'forward_auth'),
    ask({ default_action: 'managed_challenge', send: [] }, 'forward_auth'),
  ])
    deepEqual(valueOf(check('ask', rule)), { ...rule, enabled: true });
});

const place = '/action_parameters';
const refused: readonly [object, string, RegExp][] = [
  [{ action: 'block', expression: 'ssl' }, '20907 /action', /only the actions ask, forward_auth/],
  [{ action: 'ask', expression: 'ssl' }, `20903 ${place}`, /needs it/],
  [ask({ object: undefined }), `20903 ${place}/object`, /what is asked/],
  [ask({ url: 'https://a.example/' }), `20907 ${place}/url`, /have object instead/],
  [ask({ default_action: undefined }), `20903 ${place}/default_action`, /without an answer/],
  [ask({ default_action: 'log' }), `20905 ${place}/default_action`, /./],
  [ask({ timeout_ms: 0 }), `20904 ${place}/timeout_ms`, /./],
  [ask({ timeout_ms: 10_001 }), `20904 ${place}/timeout_ms`, /./],
  [ask({ keep_seconds: 3_601 }), `20904 ${place}/keep_seconds`, /./],
  [ask({ send: ['body'] }), `20905 ${place}/send/0`, /./],
  [ask({ object: { ...object, worker: 'a/b' } }), `20915 ${place}/object/worker`, /letters/],
  [ask({ object: { ...object, class_name: 'a b' } }), `20915 ${place}/object/class_name`, /class/],
  [ask({ object: { ...object, name: {} } }), `20909 ${place}/object/name`, /value or expression/],
  [
    ask({ object: { ...object, name: { expression: 'ip.src' } } }),
    `20127 ${place}/object/name/expression`,
    /must give a text/,
  ],
  [ask({ url: 'ftp://a.example/' }, 'forward_auth'), `20915 ${place}/url`, /http:\/\//],
  [ask({ url: 'https://a:b@c.example/' }, 'forward_auth'), `20915 ${place}/url`, /password/],
  [ask({ copy_headers: ['Host'] }), `20915 ${place}/copy_headers/0`, /./],
  [ask({ copy_headers: ['transfer-encoding'] }), `20915 ${place}/copy_headers/0`, /./],
  [ask({ copy_headers: ['X-Forwarded-For'] }), `20915 ${place}/copy_headers/0`, /the edge sets/],
  [ask({ copy_headers: ['cookie'] }), `20915 ${place}/copy_headers/0`, /only be removed/],
  [ask({ copy_headers: ['X-User', 'x-user'] }), `20911 ${place}/copy_headers/1`, /twice/],
  [ask({ send_headers: ['Content-Length'] }), `20915 ${place}/send_headers/0`, /./],
  [ask({ send_headers: ['x_forwarded_user'] }), `20915 ${place}/send_headers/0`, /the edge sets/],
  [ask({ send_headers: ['gatehouse-zone'] }), `20915 ${place}/send_headers/0`, /the edge sets/],
  [ask({ else: 1 }), `20902 ${place}/else`, /./],
];

test('checkAsk refuses what cannot be asked, told or copied', () => {
  for (const [rule, brief, message] of refused) {
    const checked = check('ask', rule);
    deepEqual(briefly(checked), [brief], JSON.stringify(rule));
    match(problemsOf(checked)[0]!.message, message);
  }
});
