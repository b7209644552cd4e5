import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { requestFrom } from '#request';
import { RequestSecrets } from './secrets.ts';

function show(type: string, body: string, text: string): string {
  const view = requestFrom({ method: 'POST', headers: { 'content-type': type }, body });
  return new RequestSecrets(view).show(text, 0, text.length);
}

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

test('RequestSecrets hides fields of forms whatever the spelling of their names, as sent and decoded', () => {
  equal(show(form, 'a=1&pass%77ord=hunter2', 'it was hunter2'), 'it was (hidden)');
  equal(show(form, 'password=correct+horse%21', 'correct horse!'), '(hidden)');
  equal(show(form, 'a=password&b=hunter2', 'hunter2'), 'hunter2');
});

test('RequestSecrets hides strings of JSON under secret names, as sent and decoded', () => {
  equal(show(json, String.raw`{"p\u0061ssword":"hunter2"}`, 'hunter2'), '(hidden)');
  equal(show(json, '{"tokens":["first-one","second-one"],"a":"b-c"}', 'second-one b-c'), '(hidden) b-c');
  equal(show(json, String.raw`{"token":"it\u0027s me"}`, `it's me`), '(hidden)');
  equal(show(json, '{"token":{"value":1},"a":"plain"}', 'plain'), 'plain');
});
