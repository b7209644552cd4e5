import { doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { ChallengeKind } from '#firewall';
import type { AnswerVerdict, IncomingRequest } from '../wire/exchange.ts';
import { Challenges } from './challenges.ts';
import { clearanceMs, puzzleMs } from './limits.ts';
import { bodyOf, challenged, puzzleIn, requestWith, solutionOf, zone } from './testing.ts';

const challenges = new Challenges(new Uint8Array(32).fill(1));

function headerOf({ headers }: AnswerVerdict, name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1];
}

function puzzleFor(request: IncomingRequest, kind: ChallengeKind = 'managed_challenge'): string {
  return puzzleIn(challenges.challenge(request, zone, { ...challenged, challenge: kind }).body as string);
}

function solved(puzzle: string): ReturnType<typeof bodyOf> {
  return bodyOf(new URLSearchParams({ puzzle, solution: solutionOf(puzzle) }).toString());
}

function clearanceFor(request: IncomingRequest): string {
  const { answer } = challenges.take(request, zone, solved(puzzleFor(request)));
  return /^cf_clearance=([^;]+)/.exec(headerOf(answer, 'set-cookie')!)![1]!;
}

function withCookies(request: IncomingRequest, ...cookies: string[]): IncomingRequest {
  return { ...request, headers: [...request.headers, ...cookies.map((each) => ['Cookie', each] as const)] };
}

test('Challenges lets a client through that solved its puzzle', () => {
  const request = requestWith();
  const { answer, triggered } = challenges.take(request, zone, solved(puzzleFor(request)));
  equal(answer.status, 204);
  const cookie = headerOf(answer, 'set-cookie')!;
  match(cookie, /^cf_clearance=[\w.-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/);
  equal(headerOf(answer, 'cache-control'), 'private, no-store');
  equal(triggered?.action, 'managedchallengenoninteractivesolved');
  equal(triggered?.ruleId, 'rule-1');
  equal(triggered?.rulesetId, 'ruleset-1');
  equal(challenges.hasClearance(request, zone), false);
  equal(challenges.hasClearance(withCookies(request, cookie.split(';')[0]!), zone), true);
});

test('Challenges sets a cookie that plain http keeps, where the request came without TLS', () => {
  const request = requestWith({ isSecure: false });
  const { answer } = challenges.take(request, zone, solved(puzzleFor(request)));
  match(headerOf(answer, 'set-cookie')!, /; SameSite=Lax$/);
});

test('Challenges answers with a page that nobody keeps', () => {
  const answer = challenges.challenge(requestWith(), zone, challenged);
  equal(answer.status, 403);
  equal(headerOf(answer, 'cf-mitigated'), 'challenge');
  equal(headerOf(answer, 'cache-control'), 'private, no-store');
  ok(headerOf(answer, 'content-security-policy')?.startsWith("default-src 'none'"));
});

test('Challenges tells clients nothing of the rule but its ids', () => {
  const content = puzzleFor(requestWith()).split('.')[1]!;
  const text = Buffer.from(content, 'base64url').toString();
  match(text, /rule-1/);
  doesNotMatch(text, /secret/);
});

test('Challenges names what became of a challenge after its kind', () => {
  const request = requestWith();
  const outcomes = (['challenge', 'js_challenge', 'managed_challenge'] as const).map((kind) => {
    const puzzle = puzzleFor(request, kind);
    const wrong = bodyOf(new URLSearchParams({ puzzle, solution: 'x' }).toString());
    return [solved(puzzle), wrong]
      .map((body) => challenges.take(request, zone, body).triggered?.action)
      .join(' ');
  });
  equal(
    outcomes.join(', '),
    'challengesolved challengefailed, jschallengesolved jschallengefailed, managedchallengenoninteractivesolved managedchallengefailed',
  );
});

test('Challenges refuses solutions from elsewhere, of another time, forged, wrong, missing or too long', () => {
  const request = requestWith();
  const puzzle = puzzleFor(request);
  const body = solved(puzzle);
  const other = (more: Partial<IncomingRequest>): number =>
    challenges.take(requestWith(more), zone, body).answer.status;
  equal(other({}), 204);
  equal(other({ clientAddress: '192.0.2.9' }), 403);
  equal(other({ headers: [['User-Agent', 'another']] }), 403);
  equal(other({ headers: [] }), 403);
  equal(other({ receivedAtMs: request.receivedAtMs - 1 }), 403);
  equal(other({ receivedAtMs: request.receivedAtMs + puzzleMs }), 403);
  equal(challenges.take(request, { ...zone, id: 'zone-2' }, body).answer.status, 403);
  const stranger = new Challenges(new Uint8Array(32).fill(2));
  equal(stranger.take(request, zone, body).answer.status, 403);
  for (const text of [
    '',
    'puzzle=&solution=',
    `puzzle=${puzzle}`,
    `solution=1`,
    `puzzle=${puzzle}&solution=x`,
  ]) {
    equal(challenges.take(request, zone, bodyOf(text)).answer.status, 403, text);
  }
  equal(challenges.take(request, zone, { ...body, isTruncated: true }).answer.status, 403);
  equal(
    challenges.take(request, zone, bodyOf(`${body.bytes.toString()}&x=${'x'.repeat(2_048)}`)).answer.status,
    403,
  );
});

test('Challenges says nothing to the log of puzzles that are not its own', () => {
  equal(challenges.take(requestWith(), zone, bodyOf('puzzle=a.b.c&solution=1')).triggered, undefined);
});

test('Challenges knows a clearance of this client only, while it lasts', () => {
  const request = requestWith();
  const clearance = clearanceFor(request);
  const isClear = (more: Partial<IncomingRequest>, id = zone.id): boolean =>
    challenges.hasClearance(withCookies(requestWith(more), `cf_clearance=${clearance}`), { ...zone, id });
  equal(isClear({}), true);
  equal(isClear({ receivedAtMs: request.receivedAtMs + clearanceMs - 1 }), true);
  equal(isClear({ receivedAtMs: request.receivedAtMs + clearanceMs }), false);
  equal(isClear({ clientAddress: '192.0.2.9' }), false);
  equal(isClear({ headers: [['User-Agent', 'another']] }), false);
  equal(isClear({}, 'zone-2'), false);
  equal(challenges.hasClearance(withCookies(request, `cf_clearance=${puzzleFor(request)}`), zone), false);
});

test('Challenges finds the clearance among other cookies', () => {
  const request = requestWith();
  const clearance = clearanceFor(request);
  for (const cookies of [
    [`a=1; cf_clearance=${clearance}; b=2`],
    [`a=1`, `cf_clearance=${clearance}`],
    [`cf_clearance=planted; cf_clearance=${clearance}`],
  ]) {
    equal(challenges.hasClearance(withCookies(request, ...cookies), zone), true, cookies.join(' | '));
  }
  for (const cookie of [`xcf_clearance=${clearance}`, `a="cf_clearance=${clearance}"`, `cf_clearance=`]) {
    equal(challenges.hasClearance(withCookies(request, cookie), zone), false, cookie);
  }
});
