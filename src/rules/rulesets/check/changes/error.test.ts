import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { briefly, problemsOf, valueOf } from '../../testing.ts';
import { check } from '../testing.ts';

const rule = (action_parameters: object, more: object = {}): object => ({
  action: 'serve_error',
  expression: 'http.response.code eq 502',
  action_parameters,
  ...more,
});

test('checkError takes content with or without a type and a status, as it was sent', () => {
  for (const parameters of [
    { content: '<h1>Sorry</h1>' },
    { content: '{}', content_type: 'application/json', status_code: 503 },
    { content: 'x', asset_name: '' },
  ])
    deepEqual(valueOf(check('errors', rule(parameters))), { ...rule(parameters), enabled: true });
});

const refused: readonly [object, string, RegExp][] = [
  [rule({}), '20903 /action_parameters/content', /./],
  [rule({ content: 'x'.repeat(10_241) }), '20904 /action_parameters/content', /10240/],
  [rule({ content: 'x', content_type: 'image/png' }), '20905 /action_parameters/content_type', /text\/html/],
  [rule({ content: 'x', status_code: 200 }), '20904 /action_parameters/status_code', /400/],
  [rule({ asset_name: 'page' }), '20907 /action_parameters/asset_name', /content and content_type/],
  [rule({ content: 'x' }, { action: 'block' }), '20907 /action', /only the actions serve_error/],
];

for (const [sent, problem, reason] of refused) {
  test(`checkError refuses ${JSON.stringify(sent).slice(0, 120)}`, () => {
    const checked = check('errors', sent);
    deepEqual(briefly(checked), [problem]);
    match(problemsOf(checked)[0]!.message, reason);
  });
}
