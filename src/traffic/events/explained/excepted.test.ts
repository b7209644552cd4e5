import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { triggeredActions } from '#firewall';
import { hasPassed } from './excepted.ts';

test('hasPassed is true for the actions that let a request pass, and not for a challenge that failed', () => {
  deepEqual(
    triggeredActions.filter((action) => !hasPassed({ action })),
    [
      'log',
      'block',
      'challenge',
      'jschallenge',
      'managed_challenge',
      'challengefailed',
      'jschallengefailed',
      'managedchallengefailed',
    ],
  );
});
