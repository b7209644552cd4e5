/** The same scenarios in every framework, as seen by the client, the application and the log. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createFirewall, type Firewall, type FirewallOptions } from '#edge';
import type { SecurityEvent } from '#events';
import { findPuzzle, runPage, solvePuzzle } from '../../src/traffic/edge/challenge/testing.ts';
import { eventually } from '../eventually.ts';
import { type App, digestOf, frameworks, startApp } from './apps.ts';

const options: FirewallOptions = {
  rules: [
    { expression: 'http.request.uri.path eq "/blocked"', action: 'block', description: 'nobody' },
    {
      expression: 'http.request.uri.path eq "/teapot"',
      action: 'block',
      action_parameters: {
        response: { status_code: 418, content: '{"short":"stout"}', content_type: 'application/json' },
      },
    },
    { expression: 'http.request.uri.query contains "debug"', action: 'log', ref: 'watch' },
    { expression: 'http.request.uri.path eq "/protected"', action: 'managed_challenge', ref: 'protect' },
    { expression: 'http.request.body.raw contains "evil"', action: 'block', ref: 'body' },
    { expression: 'any(http.request.body.form["role"][*] eq "admin")', action: 'block', ref: 'form' },
    {
      expression: 'any(http.request.body.multipart.filenames[*][*] eq "shell.php")',
      action: 'block',
      ref: 'file',
    },
    { expression: 'ip.src eq 203.0.113.9', action: 'block', ref: 'address' },
  ],
};

interface Story extends AsyncDisposable {
  readonly app: App;
  readonly firewall: Firewall;
  /** All reported events, after those in progress. */
  events(): Promise<readonly SecurityEvent[]>;
  readonly errors: readonly unknown[];
}

async function begin(framework: string, more: Partial<FirewallOptions> = {}): Promise<Story> {
  const told: SecurityEvent[] = [];
  const errors: unknown[] = [];
  const firewall = createFirewall({
    ...options,
    onEvent: (event) => told.push(event),
    onError: (error) => errors.push(error),
    ...more,
  });
  const app = await startApp(framework, firewall);
  return {
    app,
    firewall,
    errors,
    async events() {
      // An event is reported when its response has been sent, which the client may notice before the server does.
      await untilCounted(firewall, 1);
      await firewall.flush();
      return told;
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      deepEqual(errors, [], 'nothing went wrong inside');
    },
  };
}

function post(
  app: App,
  path: string,
  body: NonNullable<RequestInit['body']>,
  type?: string,
): Promise<Response> {
  const headers = type === undefined ? {} : { 'content-type': type };
  return fetch(app.url + path, { method: 'POST', body, headers, duplex: 'half' });
}

async function* pieces(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield typeof text === 'string' ? Buffer.from(text) : text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

for (const framework of Object.keys(frameworks)) {
  test(`${framework}: requests pass, or are answered as their rule says`, async () => {
    await using story = await begin(framework);
    const { app } = story;
    equal(await (await fetch(`${app.url}/`)).text(), 'hello');
    const blocked = await fetch(`${app.url}/blocked`);
    equal(blocked.status, 403);
    equal(blocked.headers.get('content-type'), 'text/html; charset=utf-8');
    equal(blocked.headers.get('cache-control'), 'private, no-store');
    const rayId = blocked.headers.get('cf-ray')!;
    ok((await blocked.text()).includes(rayId));
    const teapot = await fetch(`${app.url}/teapot`);
    equal(teapot.status, 418);
    match(teapot.headers.get('content-type')!, /^application\/json/);
    deepEqual(await teapot.json(), { short: 'stout' });
    const head = await fetch(`${app.url}/blocked`, { method: 'HEAD' });
    equal(head.status, 403);
    equal(await head.text(), '');
    deepEqual(app.reached, ['GET /']);
  });

  test(`${framework}: an event tells what rule did what, and how the request was answered`, async () => {
    await using story = await begin(framework);
    await (await fetch(`${story.app.url}/missing?debug`, { headers: { 'user-agent': 'tester' } })).text();
    const [event] = await story.events();
    equal(event?.action, 'log');
    equal(event?.ref, 'watch');
    equal(event?.clientIP, '127.0.0.1');
    equal(event?.userAgent, 'tester');
    equal(event?.clientRequestPath, '/missing');
    equal(event?.clientRequestQuery, '?debug');
    equal(event?.edgeResponseStatus, 404);
    equal(event?.originResponseStatus, 404);
  });

  test(`${framework}: bodies are judged, and the application reads them as if they had not been`, async () => {
    await using story = await begin(framework);
    const { app } = story;
    const json = await post(app, '/json', '{"name":"Zoë"}', 'application/json');
    deepEqual(await json.json(), { name: 'Zoë' });
    const form = await post(app, '/form', new URLSearchParams({ role: 'guest', city: 'Köln' }));
    deepEqual(await form.json(), { role: 'guest', city: 'Köln' });
    const upload = new FormData();
    upload.append('file', new Blob([randomBytes(1_000)]), 'photo.png');
    const sent = new Response(upload);
    const type = sent.headers.get('content-type')!;
    const bytes = new Uint8Array(await sent.arrayBuffer());
    equal(await (await post(app, '/raw', bytes, type)).text(), digestOf(bytes));
    const chunked = await post(app, '/json', pieces('{"a":', '[1,2', ',3]}'), 'application/json');
    deepEqual(await chunked.json(), { a: [1, 2, 3] });
    const empty = await post(app, '/raw', pieces(), 'application/octet-stream');
    equal(await empty.text(), digestOf(new Uint8Array()));
    equal(app.reached.length, 5);
  });

  test(`${framework}: bodies that a rule finds do not reach the application`, async () => {
    await using story = await begin(framework);
    const { app } = story;
    const upload = new FormData();
    upload.append('file', new Blob(['<?php']), 'shell.php');
    equal((await post(app, '/json', '{"name":"evil"}', 'application/json')).status, 403);
    equal((await post(app, '/form', new URLSearchParams({ role: 'admin' }))).status, 403);
    equal((await post(app, '/raw', upload)).status, 403);
    equal((await post(app, '/json', pieces('{"name":"e', 'vil"}'), 'application/json')).status, 403);
    deepEqual(app.reached, []);
    equal(await (await fetch(`${app.url}/`)).text(), 'hello');
  });

  test(`${framework}: bodies longer than what rules see pass whole and are noted, or do not pass`, async () => {
    // Of text: files have no limit.
    const bytes = Buffer.from(randomBytes(1.5 * 1024 * 1024).toString('hex'));
    {
      await using story = await begin(framework);
      const { app } = story;
      equal(await (await post(app, '/raw', bytes, 'application/octet-stream')).text(), digestOf(bytes));
      equal(
        await (await post(app, '/raw', pieces(bytes, bytes), 'x/y')).text(),
        digestOf(Buffer.concat([bytes, bytes])),
      );
      const [event] = await story.events();
      equal(event?.action, 'log');
      equal(event?.ref, 'inspection-limit');
    }
    await using story = await begin(framework, { overInspectionLimit: 'block' });
    equal((await post(story.app, '/raw', bytes, 'application/octet-stream')).status, 403);
    equal(
      (await post(story.app, '/raw', bytes.subarray(0, 128 * 1024), 'application/octet-stream')).status,
      200,
    );
    equal(story.app.reached.length, 1);
  });

  test(`${framework}: a browser that solves the challenge gets the requested page`, async () => {
    await using story = await begin(framework);
    const { app } = story;
    const headers = { 'user-agent': 'a browser' };
    const asked = await fetch(`${app.url}/protected`, { headers });
    equal(asked.status, 403);
    equal(asked.headers.get('cf-mitigated'), 'challenge');
    let cookie = '';
    const run = await runPage(await asked.text(), {
      fetch: async (path, { body }) => {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await fetch(app.url + path, {
          method: 'POST',
          body,
          headers: { ...headers, ...type },
        });
        equal(answer.status, 204);
        cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
        return answer;
      },
    });
    equal(run.isReloaded, true);
    const passed = await fetch(`${app.url}/protected`, { headers: { ...headers, cookie } });
    equal(await passed.text(), 'hello');
    const other = await fetch(`${app.url}/protected`, { headers: { 'user-agent': 'another', cookie } });
    equal(other.status, 403);
    await other.text();
    deepEqual(app.reached, ['GET /protected']);
    await untilCounted(story.firewall, 4);
    const told = (await story.events()).map(
      ({ action, ruleId, edgeResponseStatus }) => `${action} ${ruleId} ${edgeResponseStatus}`,
    );
    deepEqual(told, [
      'managed_challenge custom-4 403',
      'managedchallengenoninteractivesolved custom-4 204',
      'managedchallengebypassed custom-4 200',
      'managed_challenge custom-4 403',
    ]);
  });

  test(`${framework}: a wrong solution gives no clearance`, async () => {
    await using story = await begin(framework);
    const { app } = story;
    const puzzle = findPuzzle(await (await fetch(`${app.url}/protected`)).text());
    const path = '/cdn-cgi/gatehouse/challenge';
    const wrong = await post(app, path, new URLSearchParams({ puzzle, solution: 'none' }));
    equal(wrong.status, 403);
    equal(wrong.headers.get('set-cookie'), null);
    const forged = await post(
      app,
      path,
      new URLSearchParams({ puzzle: `${puzzle}A`, solution: solvePuzzle(puzzle) }),
    );
    equal(forged.status, 403);
    equal((await fetch(app.url + path, { method: 'POST' })).status, 403);
    deepEqual(app.reached, []);
  });

  test(`${framework}: the client is the peer, or whom a trusted proxy names`, async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' };
    {
      await using story = await begin(framework);
      equal((await fetch(story.app.url, { headers })).status, 200);
    }
    await using story = await begin(framework, { trustedProxies: ['127.0.0.0/8'] });
    equal((await fetch(story.app.url, { headers })).status, 403);
    const [event] = await story.events();
    equal(event?.clientIP, '203.0.113.9');
  });

  test(`${framework}: rules are replaced as a whole, or not at all`, async () => {
    await using story = await begin(framework);
    const { app, firewall } = story;
    firewall.update({ rules: [{ expression: 'http.request.uri.path eq "/"', action: 'block' }] });
    equal((await fetch(`${app.url}/`)).status, 403);
    equal((await fetch(`${app.url}/blocked`)).status, 200);
    let message = '';
    try {
      firewall.update({ rules: [{ expression: 'http.host eq', action: 'block' }] });
    } catch (error) {
      ok(error instanceof TypeError);
      ({ message } = error);
    }
    match(message, /\/rules\/0\/expression/);
    equal((await fetch(`${app.url}/`)).status, 403);
  });

  test(`${framework}: a client that leaves in the middle of its body affects no other`, async () => {
    await using story = await begin(framework);
    const { app } = story;
    const closed = new Promise<void>((resolve) => {
      app.server.once('request', (request) => request.once('close', () => resolve()));
    });
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      'POST /raw HTTP/1.1\r\nhost: x\r\ncontent-type: a/b\r\ncontent-length: 1000\r\n\r\nhalf of it',
    );
    app.server.once('request', () => setImmediate(() => socket.destroy()));
    await closed;
    equal(await (await fetch(`${app.url}/`)).text(), 'hello');
    deepEqual(app.reached, ['GET /']);
  });
}

function untilCounted(firewall: Firewall, count: number): Promise<void> {
  return eventually(() => firewall.eventCounts!.recorded >= count, `${count} events`);
}
