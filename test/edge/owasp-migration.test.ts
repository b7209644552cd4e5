import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { checkOwaspMigration } from './owasp-migration.ts';

test('OWASP at sensitivity medium and action simulate becomes level 1, threshold 25 and log, and finds the same', async () => {
  await checkOwaspMigration(undefined, {
    path: '/?q=%3Cscript%3Ealert(1)%3C/script%3E&file=../../x',
    paths: {
      60: '/?q=%3Cscript%3Ealert(1)%3C/script%3E&file=../../x',
      40: '/?q=%3Cscript%3Ealert(1)%3C/script%3E',
      25: '/?q=%3Cscript%3E&r=select+a+from+b',
    },
    checkLedger: (lines) =>
      deepEqual(lines, [
        { description: 'A script element', score: 20, place: 'argument q' },
        { description: 'A dialog or the cookies of a page', score: 20, place: 'argument q' },
        { description: 'A path that leads upwards', score: 20, place: 'argument file' },
      ]),
  });
});
