import { doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { ChallengeKind } from '#rulesets';
import type { RespondDirective, IncomingRequest } from '../wire/exchange.ts';
import { Challenges } from './challenges.ts';
import { Signer } from './clearance.ts';
import { clearanceMs, puzzleBits, puzzleMs } from './limits.ts';
import { isSolved } from './puzzle.ts';
import { createBody, challenged, findPuzzle, createRequest, solvePuzzle, zone } from './testing.ts';

const challenges = new Challenges(new Signer(new Uint8Array(32).fill(1)));

function headerOf({ headers }: RespondDirective, name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1];
}

function puzzleFor(request: IncomingRequest, kind: ChallengeKind = 'managed_challenge'): string {
  return findPuzzle(challenges.challenge(request, zone, { ...challenged, challenge: kind }).body as string);
}

function solved(puzzle: string): ReturnType<typeof createBody> {
  return createBody(new URLSearchParams({ puzzle, solution: solvePuzzle(puzzle) }).toString());
}

function clearanceFor(request: IncomingRequest, kind?: ChallengeKind): string {
  const { answer } = challenges.take(request, zone, solved(puzzleFor(request, kind)));
  return /^cf_clearance=([^;]+)/.exec(headerOf(answer, 'set-cookie')!)![1]!;
}

function withCookies(request: IncomingRequest, ...cookies: string[]): IncomingRequest {
  return { ...request, headers: [...request.headers, ...cookies.map((each) => ['Cookie', each] as const)] };
}

test('Challenges lets a client through that solved its puzzle', () => {
  const request = createRequest();
  const { answer, triggered } = challenges.take(request, zone, solved(puzzleFor(request)));
  equal(answer.status, 204);
  const cookie = headerOf(answer, 'set-cookie')!;
  match(cookie, /^cf_clearance=[\w.-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/);
  equal(headerOf(answer, 'cache-control'), 'private, no-store');
  equal(triggered?.action, 'managedchallengenoninteractivesolved');
  equal(triggered?.ruleId, 'rule-1');
  equal(triggered?.rulesetId, 'ruleset-1');
  equal(challenges.findClearance(request, zone), undefined);
  equal(challenges.findClearance(withCookies(request, cookie.split(';')[0]!), zone), 'managed_challenge');
});

test('Challenges sets a cookie without Secure if the request came without TLS', () => {
  const request = createRequest({ isSecure: false });
  const { answer } = challenges.take(request, zone, solved(puzzleFor(request)));
  match(headerOf(answer, 'set-cookie')!, /; SameSite=Lax$/);
});

test('Challenges answers with a page that no cache stores', () => {
  const answer = challenges.challenge(createRequest(), zone, challenged);
  equal(answer.status, 403);
  equal(headerOf(answer, 'cf-mitigated'), 'challenge');
  equal(headerOf(answer, 'cache-control'), 'private, no-store');
  ok(headerOf(answer, 'content-security-policy')?.startsWith("default-src 'none'"));
});

test('Challenges reveals nothing about the rule except its ids', () => {
  const content = puzzleFor(createRequest()).split('.')[1]!;
  const text = Buffer.from(content, 'base64url').toString();
  match(text, /rule-1/);
  doesNotMatch(text, /secret/);
});

test('Challenges names the outcome of a challenge after its kind', () => {
  const request = createRequest();
  const outcomes = (['challenge', 'js_challenge', 'managed_challenge'] as const).map((kind) => {
    const puzzle = puzzleFor(request, kind);
    const wrong = createBody(new URLSearchParams({ puzzle, solution: 'x' }).toString());
    return [solved(puzzle), wrong]
      .map((body) => challenges.take(request, zone, body).triggered?.action)
      .join(' ');
  });
  equal(
    outcomes.join(', '),
    'challengesolved challengefailed, jschallengesolved jschallengefailed, managedchallengenoninteractivesolved managedchallengefailed',
  );
});

test('Challenges refuses solutions of another client, expired, forged, wrong, missing or too long', () => {
  const request = createRequest();
  const puzzle = puzzleFor(request);
  const body = solved(puzzle);
  const other = (more: Partial<IncomingRequest>): number =>
    challenges.take(createRequest(more), zone, body).answer.status;
  equal(other({}), 204);
  equal(other({ clientAddress: '192.0.2.9' }), 403);
  equal(other({ headers: [['User-Agent', 'another']] }), 403);
  equal(other({ headers: [] }), 403);
  equal(other({ receivedAtMs: request.receivedAtMs - 1 }), 403);
  equal(other({ receivedAtMs: request.receivedAtMs + puzzleMs }), 403);
  equal(challenges.take(request, { ...zone, id: 'zone-2' }, body).answer.status, 403);
  const stranger = new Challenges(new Signer(new Uint8Array(32).fill(2)));
  equal(stranger.take(request, zone, body).answer.status, 403);
  for (const text of [
    '',
    'puzzle=&solution=',
    `puzzle=${puzzle}`,
    `solution=1`,
    `puzzle=${puzzle}&solution=x`,
  ]) {
    equal(challenges.take(request, zone, createBody(text)).answer.status, 403, text);
  }
  equal(challenges.take(request, zone, { ...body, isTruncated: true }).answer.status, 403);
  equal(
    challenges.take(request, zone, createBody(`${body.bytes.toString()}&x=${'x'.repeat(2_048)}`)).answer
      .status,
    403,
  );
});

test('Challenges logs nothing about puzzles that are not its own', () => {
  equal(challenges.take(createRequest(), zone, createBody('puzzle=a.b.c&solution=1')).triggered, undefined);
});

test('Challenges accepts a clearance of the same client only, until it expires', () => {
  const request = createRequest();
  const clearance = clearanceFor(request);
  const isClear = (more: Partial<IncomingRequest>, id = zone.id): boolean =>
    challenges.findClearance(withCookies(createRequest(more), `cf_clearance=${clearance}`), {
      ...zone,
      id,
    }) !== undefined;
  equal(isClear({}), true);
  equal(isClear({ receivedAtMs: request.receivedAtMs + clearanceMs - 1 }), true);
  equal(isClear({ receivedAtMs: request.receivedAtMs + clearanceMs }), false);
  equal(isClear({ clientAddress: '192.0.2.9' }), false);
  equal(isClear({ headers: [['User-Agent', 'another']] }), false);
  equal(isClear({}, 'zone-2'), false);
  equal(
    challenges.findClearance(withCookies(request, `cf_clearance=${puzzleFor(request)}`), zone),
    undefined,
  );
});

test('Challenges asks for more work for a stronger challenge, and gives a clearance of its strength', () => {
  const request = createRequest();
  const [js, managed, interactive] = (['js_challenge', 'managed_challenge', 'challenge'] as const).map(
    (kind) => ({ kind, puzzle: puzzleFor(request, kind), clearance: clearanceFor(request, kind) }),
  );
  // A solution of the weakest challenge does not solve a stronger one, except by chance.
  for (const { puzzle } of [managed!, interactive!]) {
    let number = 0;
    const isWeak = (): boolean => {
      const text = String(number);
      return (
        isSolved(puzzle, text, puzzleBits.js_challenge) &&
        !isSolved(puzzle, text, puzzleBits.managed_challenge)
      );
    };
    while (!isWeak()) number++;
    const body = createBody(new URLSearchParams({ puzzle, solution: String(number) }).toString());
    equal(challenges.take(request, zone, body).answer.status, 403);
  }
  for (const { kind, clearance } of [js!, managed!, interactive!]) {
    equal(challenges.findClearance(withCookies(request, `cf_clearance=${clearance}`), zone), kind);
  }
  const both = `cf_clearance=${interactive!.clearance}; cf_clearance=${js!.clearance}`;
  equal(challenges.findClearance(withCookies(request, both), zone), 'challenge');
});

test('Challenges finds the clearance among other cookies', () => {
  const request = createRequest();
  const clearance = clearanceFor(request);
  for (const cookies of [
    [`a=1; cf_clearance=${clearance}; b=2`],
    [`a=1`, `cf_clearance=${clearance}`],
    [`cf_clearance=planted; cf_clearance=${clearance}`],
  ]) {
    equal(
      challenges.findClearance(withCookies(request, ...cookies), zone),
      'managed_challenge',
      cookies.join(' | '),
    );
  }
  for (const cookie of [`xcf_clearance=${clearance}`, `a="cf_clearance=${clearance}"`, `cf_clearance=`]) {
    equal(challenges.findClearance(withCookies(request, cookie), zone), undefined, cookie);
  }
});
