import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitedMax, signInsKnownMax } from '../../context/limits.ts';
import { type SignInAttempt, SignInLimit } from './sign-in-limit.ts';

const attempt = (address: string, email?: string, isInteractive = true): SignInAttempt => ({
  address,
  email,
  isInteractive,
});

/** How many failures are allowed, and for how many seconds further attempts are refused. */
function fail(limit: SignInLimit, tried: SignInAttempt, nowMs = 0): [failures: number, seconds: number] {
  for (let failures = 0; ; failures++) {
    const refusal = limit.findRefusal(tried, nowMs);
    if (refusal !== undefined) return [failures, refusal.resetSeconds];
    limit.noteFailure(tried, nowMs);
  }
}

test('SignInLimit refuses an address after 20 failures until the window ends, and no other address', () => {
  const limit = new SignInLimit();
  deepEqual(fail(limit, attempt('192.0.2.1')), [20, 300]);
  equal(limit.findRefusal(attempt('192.0.2.2'), 0), undefined);
  equal(limit.findRefusal(attempt('192.0.2.1'), 299_999)?.resetSeconds, 1);
  equal(limit.findRefusal(attempt('192.0.2.1'), 300_000), undefined);
  // The API itself counts addresses.
  equal(limit.findRefusal(attempt('192.0.2.1', undefined, false), 0), undefined);
});

test('SignInLimit refuses an account after 50 failures from anywhere, except where it signed in', () => {
  const limit = new SignInLimit();
  const home = attempt('192.0.2.1', 'Owner@example.com', false);
  limit.noteSuccess(home);
  for (let count = 0; count < 50; count++) {
    const guess = attempt(`198.51.100.${count}`, 'owner@example.com', false);
    equal(limit.findRefusal(guess, 0), undefined);
    limit.noteFailure(guess, 0);
  }
  equal(limit.findRefusal(attempt('203.0.113.9', 'OWNER@example.com', false), 1_000)?.resetSeconds, 299);
  equal(limit.findRefusal(home, 1_000), undefined);
  equal(limit.findRefusal(attempt('203.0.113.9', 'other@example.com', false), 1_000), undefined);
  equal(limit.findRefusal(attempt('203.0.113.9'), 1_000), undefined);
  equal(limit.findRefusal(attempt('203.0.113.9', 'owner@example.com', false), 300_000), undefined);
});

test('SignInLimit remembers a bounded number of accounts and of addresses they signed in from', () => {
  const limit = new SignInLimit();
  const account = (count: number): SignInAttempt => attempt(`a${count}`, `u${count}@example.com`, false);
  fail(limit, account(0));
  for (let count = 1; count < rateLimitedMax; count++) limit.noteFailure(account(count), 0);
  equal(limit.findRefusal(account(0), 0)?.isOver, true);
  limit.noteFailure(account(rateLimitedMax), 0);
  equal(limit.findRefusal(account(0), 0), undefined);

  for (let count = 0; count < signInsKnownMax; count++) limit.noteSuccess(account(count));
  limit.noteSuccess(account(0));
  limit.noteSuccess(account(signInsKnownMax));
  deepEqual(
    [account(0), account(1), account(2), account(signInsKnownMax)].map((each) => limit.isKnown(each)),
    [true, false, true, true],
  );
});
