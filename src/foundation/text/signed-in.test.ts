import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isSignedIn } from './signed-in.ts';

test('isSignedIn finds an Authorization header and cookies with the names of sessions, and nothing else', () => {
  equal(isSignedIn([['AUTHORIZATION', 'Basic x']]), true);
  for (const name of [
    'PHPSESSID',
    'connect.sid',
    'sid',
    'wordpress_logged_in_1',
    '__Host-auth',
    'remember_me',
  ])
    equal(isSignedIn([['Cookie', `theme=dark; ${name}=x`]]), true, name);
  for (const cookies of ['theme=dark', '_ga=1.2; inside=1', 'session', '=sid', ''])
    equal(isSignedIn([['cookie', cookies]]), false, cookies);
  equal(isSignedIn([['x-session', 'sid=1']]), false);
});
