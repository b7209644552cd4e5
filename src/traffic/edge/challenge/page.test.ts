import { doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { puzzleBits } from './limits.ts';
import { renderChallengePage, pagePolicy } from './page.ts';
import { isSolved } from './puzzle.ts';
import { runPage } from './testing.ts';

const signature = 'k'.repeat(43);
const puzzle = `time.content.${signature}`;

function pageOf(kind: 'challenge' | 'js_challenge' | 'managed_challenge', more: object = {}): string {
  return renderChallengePage({ kind, puzzle, host: 'example.com', rayId: 'ray', ...more });
}

test('renderChallengePage: the page solves its puzzle by itself, sends the solution and reloads', async () => {
  const sent: URLSearchParams[] = [];
  const run = await runPage(pageOf('managed_challenge'), {
    fetch: async (path, { method, body }) => {
      equal(`${method} ${path}`, 'POST /cdn-cgi/gatehouse/challenge');
      sent.push(new URLSearchParams(body));
      return { ok: true };
    },
  });
  equal(run.isReloaded, true);
  equal(sent.length, 1);
  equal(sent[0]!.get('puzzle'), puzzle);
  ok(isSolved(puzzle, sent[0]!.get('solution')!, puzzleBits.managed_challenge));
});

test('renderChallengePage: the page finds the smallest number, so its SHA-256 is right', async () => {
  for (const end of ['A', 'B', 'C']) {
    const other = `time.content.${'x'.repeat(42)}${end}`;
    let solution = '';
    await runPage(pageOf('js_challenge', { puzzle: other }), {
      fetch: async (_, { body }) => {
        solution = new URLSearchParams(body).get('solution')!;
        return { ok: true };
      },
    });
    let smallest = 0;
    while (!isSolved(other, String(smallest), puzzleBits.js_challenge)) smallest++;
    equal(solution, String(smallest));
  }
});

test('renderChallengePage: the page pauses after each slice of its work', async () => {
  let nowMs = 0;
  let solution = 0;
  const run = await runPage(pageOf('js_challenge'), {
    nowMs: () => (nowMs += 40),
    fetch: async (_, { body }) => {
      solution = Number(new URLSearchParams(body).get('solution'));
      return { ok: true };
    },
  });
  equal(run.pauses, Math.floor(solution / 64));
});

test('renderChallengePage: the page of the oldest kind waits for a click', async () => {
  const page = pageOf('challenge');
  match(page, /<button type="button" id="start">/);
  const run = await runPage(page, { fetch: async () => ({ ok: true }) });
  equal(run.isReloaded, true);
  doesNotMatch(pageOf('managed_challenge'), /<button/);
});

test('renderChallengePage: the page says what to do if the solution is refused, the network fails or there are no cookies', async () => {
  const refused = await runPage(pageOf('js_challenge'), { fetch: async () => ({ ok: false }) });
  equal(refused.isReloaded, false);
  match(refused.state, /Load the page again/);
  const failed = await runPage(pageOf('js_challenge'), { fetch: () => Promise.reject(new Error('offline')) });
  match(failed.state, /Load the page again/);
  const fetch = (): Promise<never> => Promise.reject(new Error('nothing is to be sent'));
  const bare = await runPage(pageOf('js_challenge'), { fetch, isCookieEnabled: false });
  match(bare.state, /needs cookies/);
});

test('renderChallengePage: the policy allows only the script and style of the page', () => {
  const page = pageOf('challenge');
  const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
  const [, script] = /<script>([^]*?)<\/script>/.exec(page)!;
  const [, style] = /<style>([^]*?)<\/style>/.exec(page)!;
  ok(pagePolicy.includes(`script-src ${sourceOf(script!)};`));
  ok(pagePolicy.includes(`style-src ${sourceOf(style!)};`));
  match(pagePolicy, /^default-src 'none';/);
  doesNotMatch(pagePolicy, /unsafe/);
  doesNotMatch(page, /https?:|src=|href=|\son\w+=|\sstyle=/);
});

test('renderChallengePage escapes its arguments', () => {
  const evil = `"><script>alert(1)</script>'&`;
  const page = pageOf('challenge', { host: evil, rayId: evil, puzzle: evil });
  equal(page.split('<script>').length, 2);
  equal(page.includes(evil), false);
});
