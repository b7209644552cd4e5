/** The activity log in a real browser: searched, watched, explained, excepted; and full of text that attackers wrote. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SecurityEvent } from '#events';
import { askUntil, createEvent, formatTimeAgo, recordEvents } from './activity-log.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

const minuteMs = 60_000;

function rows(page: Page) {
  return page.locator('.activity-event');
}

test('the log is searched by clicking and in the rules language; the search is in the address', async () => {
  const zone = await site.createZone('searched.example', 'enterprise');
  const at = (minutesAgo: number): string => formatTimeAgo(minutesAgo * minuteMs);
  await recordEvents(site, zone, [
    ...Array.from({ length: 5 }, (_, index) => ({
      event: createEvent({ datetime: at(index + 1), clientRequestPath: '/admin', clientIP: '192.0.2.1' }),
    })),
    ...Array.from({ length: 3 }, (_, index) => ({
      event: createEvent({
        datetime: at(index + 60),
        action: 'log',
        clientRequestPath: '/cart',
        clientIP: '198.51.100.7',
      }),
    })),
  ]);
  const page = await site.openSignedIn(`/zones/${zone}/activity`);
  await page.getByText('8 events').first().waitFor();
  await page.locator('.u-over').waitFor();
  await site.inspect(page, 'activity');

  await page.getByRole('row').getByRole('button', { name: '/cart' }).first().click();
  await page.getByText('Path is /cart').waitFor();
  await page.getByRole('status').getByText('3 events').waitFor();
  match(decodeURIComponent(page.url()), /where=\["clientRequestPath:eq:\/cart"\]/);
  await page.getByRole('button', { name: 'Remove the condition: Path is /cart' }).click();
  await page.getByRole('status').getByText('8 events').waitFor();

  const common = page.getByRole('navigation', { name: 'Most frequent values' });
  await common.getByRole('button', { name: '198.51.100.7', exact: true }).click();
  await page.getByRole('status').getByText('3 events').waitFor();
  await page.getByRole('button', { name: 'Remove the condition: Address is 198.51.100.7' }).click();
  await page.getByRole('status').getByText('8 events').waitFor();
  await common.getByRole('button', { name: 'Leave out Path /cart' }).click();
  await page.getByText('Path is not /cart').waitFor();
  await page.getByRole('status').getByText('5 events').waitFor();
  await page.getByRole('button', { name: 'Remove the condition: Path is not /cart' }).click();
  await page.getByRole('status').getByText('8 events').waitFor();

  await page
    .getByRole('row')
    .getByRole('button', { name: 'log' })
    .first()
    .click({ modifiers: ['Alt'] });
  await page.getByText('Action is not log').waitFor();
  await page.getByRole('status').getByText('5 events').waitFor();

  const input = page.getByLabel('Requests for which this is true');
  await input.fill('ip.src eq 198.51.100.7');
  await input.press('Enter');
  await page.getByText('Remove a condition or choose a longer time').waitFor();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByRole('status').getByText('3 events').waitFor();
  const other = await site.openSignedIn(page.url().slice(site.url.length), { width: 390 });
  await other.getByRole('status').getByText('3 events').waitFor();
  equal(await other.getByLabel('Requests for which this is true').textContent(), 'ip.src eq 198.51.100.7');
  await other.locator('.u-over').waitFor();
  await site.inspect(other, 'activity-phone');

  await input.fill('http.request.headers.names[0] eq "a"');
  await page.getByText('events do not store the data of this field').waitFor();
  await input.fill('ip.src eq "never closed');
  await input.press('Enter');
  await page.getByText('Invalid search expression').waitFor();
  equal(await input.textContent(), 'ip.src eq "never closed');
  await page.goBack();
  await page.getByRole('status').getByText('3 events').waitFor();

  await page.getByLabel('Group by').selectOption('1h');
  await page.getByLabel('Compare with the period before').check();
  await page.getByText('3 events, none in the period before').waitFor();
  const chart = page.getByRole('slider', { name: /events over time/ });
  await chart.focus();
  await page.keyboard.press('End');
  await page.getByText(/: \d events?( \(3 logged\))?, 0 in the period before/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('From one address');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const views = page.getByRole('group', { name: 'Saved views' });
  const view = views.getByRole('link', { name: 'From one address' });
  match(
    decodeURIComponent((await view.getAttribute('href'))!),
    /interval=1h.*compare=before|compare=before.*interval=1h/,
  );
  await site.inspect(page, 'activity-compared');
  await page.getByText('Show as a table').click();
  await page.getByRole('region', { name: 'Events over time' }).getByRole('button').first().click();
  await page.waitForURL(/until=/);
  site.checkConsole();
});

test('an event is shown beside the list and told in a sentence; keys walk from one to the next', async () => {
  const host = 'walked.example';
  const zone = await site.createZone(host, 'enterprise');
  await site.call(`PUT /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      {
        action: 'block',
        expression: 'url_decode(http.request.uri.query) contains "secret word"',
        description: 'no secrets',
      },
    ],
  });
  const blocked = (path: string) =>
    askUntil(
      () => site.visit(host, path),
      ({ status }) => status === 403,
    );
  await blocked('/first?q=a+secret%20word');
  await blocked('/second?q=%73ecret%20word');
  const { result } = await askUntil(
    () => site.call(`GET /zones/${zone}/security/events`),
    (answer) => answer.result.length === 2,
  );
  match(result[0].clientRequestPath, /second/);
  const page = await site.openSignedIn(`/zones/${zone}/activity`);
  await rows(page).nth(1).waitFor();
  await page.locator('body').press('j');
  const panel = page.getByRole('complementary', { name: 'Event' });
  await panel.getByText('Blocked: the argument "q" matches "no secrets": "secret word".').waitFor();
  equal(await panel.getByLabel('The request').locator('mark').innerText(), '%73ecret%20word');
  await page.locator('.activity-event[aria-current=true]').getByText('/second').waitFor();
  await page.keyboard.press('j');
  await panel.getByLabel('The request').getByText('/first').waitFor();
  equal(await panel.getByLabel('The request').locator('mark').innerText(), 'secret%20word');
  equal(await panel.getByRole('button', { name: 'Older' }).isDisabled(), true);
  await panel.getByText('Without this rule, the request would have passed.').waitFor();
  await panel.getByRole('link', { name: 'this rule: 1 event, from 1 address' }).waitFor();
  await page.keyboard.press('k');
  await panel.getByLabel('The request').getByText('/second').waitFor();
  await panel.getByRole('link', { name: 'this rule: 2 events, from 1 address' }).waitFor();
  await site.inspect(page, 'activity-event-beside');
  await panel.getByRole('button', { name: 'Block address…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Block address' }).click();
  await page.getByText('127.0.0.1 is blocked').waitFor();
  const { result: access } = await site.call(`GET /zones/${zone}/firewall/access_rules/rules`);
  deepEqual(
    access.map(({ mode, configuration }: { mode: string; configuration: object }) => [mode, configuration]),
    [['block', { target: 'ip', value: '127.0.0.1' }]],
  );
  // In a text field the shortcut keys are letters.
  const input = page.getByLabel('Requests for which this is true');
  await input.press('j');
  await input.getByText('j').waitFor();
  await panel.getByLabel('The request').getByText('/second').waitFor();
  await panel.getByRole('button', { name: 'Close the event' }).click();
  await panel.waitFor({ state: 'detached' });

  const phone = await site.openSignedIn(`/zones/${zone}/activity?event=${result[0].id}`, { width: 390 });
  const dialog = phone.getByRole('dialog', { name: 'Event' });
  await dialog.getByRole('button', { name: 'Older' }).click();
  await dialog.getByLabel('The request').getByText('/first').waitFor();
  await site.inspect(phone, 'activity-event-phone');
  site.checkConsole();
});

test('the log is watched live, paused and resumed', async () => {
  const zone = await site.createZone('live.example', 'enterprise');
  const page = await site.openSignedIn(`/zones/${zone}/activity`);
  await page.getByText('No rule has acted on a request').waitFor();
  await site.inspect(page, 'activity-empty');
  await page.getByRole('button', { name: 'Watch live' }).click();
  await page.getByText('Watching', { exact: true }).waitFor();
  await recordEvents(site, zone, [{ event: createEvent({ clientRequestPath: '/first' }) }]);
  await rows(page).getByText('/first').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await recordEvents(site, zone, [{ event: createEvent({ clientRequestPath: '/second' }) }]);
  await page.getByText('Paused, 1 new').waitFor();
  equal(await rows(page).count(), 1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await rows(page).getByText('/second').waitFor();
  match(await rows(page).first().innerText(), /\/second/);
  // The number of held events is bounded.
  for (let batch = 0; batch < 12; batch++) {
    await recordEvents(
      site,
      zone,
      Array.from({ length: 100 }, () => ({ event: createEvent({ clientRequestPath: `/batch-${batch}` }) })),
    );
  }
  await rows(page).getByText('/batch-11').first().waitFor();
  await page.getByRole('status').getByText('1,000 events').waitFor();
  await page.getByRole('button', { name: 'Stop watching' }).click();
  site.checkConsole();
});

test('a hundred thousand events scroll with as many rows in the document as are in sight', async () => {
  const zone = await site.createZone('many.example', 'enterprise');
  for (let batch = 0; batch < 100; batch++) {
    const events = Array.from({ length: 1_000 }, (_, index) => ({
      event: createEvent({
        datetime: formatTimeAgo((batch * 1_000 + index) * 500),
        clientRequestPath: `/${batch}/${index}`,
      }),
    }));
    await recordEvents(site, zone, events);
  }
  const page = await site.openSignedIn(`/zones/${zone}/activity`);
  await page.getByText('100,000 events').waitFor();
  const list = page.getByRole('region', { name: 'Events', exact: true });
  let loaded = 0;
  for (let time = 0; time < 8; time++) {
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.waitForFunction(
      (before) => ((globalThis as any).document.querySelector('.activity-rows')?.clientHeight ?? 0) > before,
      loaded,
    );
    loaded = await page.locator('.activity-rows').evaluate((element) => element.clientHeight);
    ok((await rows(page).count()) < 80, 'rows out of sight are not in the document');
  }
  ok(loaded >= 4_000 * 38, `${loaded} pixels of rows were loaded`);
  site.checkConsole();
});

const payloads = [
  `<script>globalThis.ran=1</script>`,
  `<img src=x onerror="globalThis.ran=1">`,
  `"><svg onload=globalThis.ran=1>`,
  `javascript:globalThis.ran=1//{{7*7}}\${7*7}`,
];

test('text of attackers is text: nothing that was logged runs, on either page', async () => {
  const zone = await site.createZone('hostile.example', 'enterprise');
  const textFields = Object.entries(createEvent()).flatMap(([name, value]) =>
    typeof value === 'string' &&
    !['id', 'datetime', 'kind', 'rayName', 'clientIP', 'action', 'source'].includes(name)
      ? [name]
      : [],
  ) as (keyof SecurityEvent)[];
  const recorded = payloads.map((payload) => {
    const hostile = Object.fromEntries(textFields.map((name) => [name, payload]));
    const event = createEvent({ ...hostile, metadata: [{ key: payload, value: payload }] });
    const part = { text: payload, start: 0, end: payload.length };
    const { source, action } = event;
    const rule = { source, action, ruleId: payload, rulesetId: payload, description: payload };
    const tree = { text: payload, result: 'true', field: payload, value: payload, matched: [part] } as const;
    const judged = {
      version: 1,
      steps: [
        {
          source: payload,
          phase: payload,
          rulesetId: payload,
          version: payload,
          level: payload,
          reached: 1,
          ruleCount: 1,
          matched: [payload],
          end: payload,
        },
      ],
      rules: [
        { ...rule, tree: { ...tree, parts: [tree] } },
        {
          ...rule,
          action: 'log',
          score: {
            total: 1,
            threshold: 1,
            contributions: [{ ruleId: payload, description: payload, score: 1, tree }],
          },
        },
      ],
    };
    return { event, judged };
  });
  await recordEvents(site, zone, recorded);
  // And the values that a client can choose.
  await site.call(`POST /zones/${zone}/firewall/rules`, [
    { action: 'log', filter: { expression: 'http.host ne ""' }, description: payloads[1] },
  ]);
  const found = () => site.call(`GET /zones/${zone}/security/events?where=source:eq:firewallrules`);
  await askUntil(
    async () => {
      await site.visit('hostile.example', `/%3Cscript%3E?q=${encodeURIComponent(payloads[0]!)}`, {
        'user-agent': payloads[1]!,
        referer: `http://x/${payloads[2]}`,
      });
      return found();
    },
    ({ result }) => result.length > 0,
  );

  const page = await site.openSignedIn(`/zones/${zone}`);
  await page.getByText(payloads[0]!).first().waitFor();
  await checkNothingRan(page);
  await page.getByRole('link', { name: 'Open in the activity log' }).click();
  await rows(page).first().waitFor();
  await checkNothingRan(page);
  const ids = (await site.call(`GET /zones/${zone}/security/events?per_page=6`)).result.map(
    ({ id }: SecurityEvent) => id,
  );
  for (const id of ids) {
    await page.goto(`${site.url}/zones/${zone}/activity?event=${id}`);
    const panel = page.getByRole('complementary');
    await panel.getByText('All logged fields').click();
    await panel.getByText('Every step of the evaluation').click();
    await checkNothingRan(page);
  }
  await page.goto(
    `${site.url}/zones/${zone}/activity?expression=${encodeURIComponent(payloads[1]!)}&where=${encodeURIComponent(payloads[2]!)}`,
  );
  await page.getByRole('alert').first().waitFor();
  await checkNothingRan(page);
  site.checkConsole();
});

/**
 * The policy of the page would block a script; that no such element exists shows that the page does not rely on it. The
 * editor of expressions has its own empty images beside its placeholder.
 */
async function checkNothingRan(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const { document, ran } = globalThis as any;
    const links: readonly { href: string }[] = [...document.querySelectorAll('a')];
    return [
      ran,
      document.querySelectorAll(
        '#root img:not(.cm-widgetBuffer), [role=dialog] img, svg[onload], body script, [onerror]',
      ).length,
      links.filter(({ href }) => href.startsWith('javascript:')).length,
    ];
  });
  deepEqual(found, [undefined, 0, 0]);
}

interface Excepted {
  readonly title: string;
  readonly rules: (zone: string) => Promise<void>;
  readonly path: string;
  readonly first: string;
}

const managedPhase = 'http_request_firewall_managed';
const products: readonly Excepted[] = [
  {
    title: 'a firewall rule whose filter others use',
    path: '/admin/users?x=1',
    first: 'This rule does not act on /admin/users',
    async rules(zone) {
      const filters = await site.call(`POST /zones/${zone}/filters`, [
        { expression: 'http.request.uri.path contains "/admin"' },
      ]);
      const filter = { id: filters.result[0].id };
      await site.call(`POST /zones/${zone}/firewall/rules`, [{ action: 'block', filter, priority: 2 }]);
      await site.call(`POST /zones/${zone}/firewall/rules`, [{ action: 'log', filter, priority: 1 }]);
    },
  },
  {
    title: 'a custom rule',
    path: '/admin/users?x=1',
    first: 'This rule does not act on /admin/users',
    async rules(zone) {
      await site.call(`PUT /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
        rules: [
          { action: 'block', expression: 'http.request.uri.path contains "/admin"', description: 'no admin' },
        ],
      });
    },
  },
  {
    title: 'a managed rule',
    path: '/admin/users?redirect:https://elsewhere.example/',
    first: 'This rule does not act on /admin/users',
    async rules(zone) {
      await site.call(`PUT /zones/${zone}/rulesets/phases/${managedPhase}/entrypoint`, {
        rules: [
          {
            action: 'execute',
            expression: 'true',
            action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
          },
        ],
      });
    },
  },
  {
    title: 'rules whose scores add up',
    path: "/admin/users?q=1'+union+select+password+from+users--+",
    first: 'rules that scored do not look at argument q on /admin/users',
    async rules(zone) {
      const overrides = {
        rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5, action: 'block' }],
      };
      await site.call(`PUT /zones/${zone}/rulesets/phases/${managedPhase}/entrypoint`, {
        rules: [
          {
            action: 'execute',
            expression: 'true',
            action_parameters: { id: '4814384a9e5d4991b9815dcfc25d2f1f', overrides },
          },
        ],
      });
    },
  },
  {
    title: 'a legacy managed rule',
    path: '/admin/users?redirect:https://elsewhere.example/',
    first: 'No managed rule acts on /admin/users',
    async rules(zone) {
      await site.call(`PATCH /zones/${zone}/settings/waf`, { value: 'on' });
    },
  },
];

for (const [index, { title, rules, path, first }] of products.entries()) {
  test(`the narrowest exception from ${title} lets the request through, and no other`, async () => {
    const host = `excepted-${index}.example`;
    const zone = await site.createZone(host, 'enterprise');
    await rules(zone);
    const sent = (to: string, status: number) =>
      askUntil(
        () => site.visit(host, to),
        (answer) => answer.status === status,
      );
    equal((await sent(path, 403)).status, 403);
    const elsewhere = path.replace('users', 'roles');
    equal((await site.visit(host, elsewhere)).status, 403);
    const { result } = await askUntil(
      () => site.call(`GET /zones/${zone}/security/events?where=action:eq:block&order=oldest`),
      (answer) => answer.result.length === 2,
    );
    const page = await site.openSignedIn(`/zones/${zone}/activity?event=${result[0].id}`);
    const panel = page.getByRole('complementary');
    await panel.getByRole('button', { name: 'Make an exception…' }).click();
    const choices = panel.getByRole('radio');
    equal(await panel.getByRole('radio', { name: first }).isChecked(), true);
    await panel.getByText('nothing else').first().waitFor();
    await panel.getByRole('radio', { name: 'not act at all' }).check();
    await panel.getByText('1 other event').first().waitFor();
    await panel.getByRole('cell', { name: '/admin/roles' }).waitFor();
    await choices.first().check();
    await site.inspect(page, `activity-exception-${index}`);
    await panel.getByRole('button', { name: 'Save this exception' }).click();
    await panel.getByText('the request passes').waitFor();
    equal((await sent(path, 200)).status, 200);
    equal((await site.visit(host, elsewhere)).status, 403);
    site.checkConsole();
  });
}

test('a request that several rules stop: each next one is named before and after an exception', async () => {
  const host = 'twice.example';
  const zone = await site.createZone(host, 'enterprise');
  await site.call(`PUT /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      { action: 'block', expression: 'http.request.uri.query contains "x"', description: 'second rule' },
    ],
  });
  await site.call(`POST /zones/${zone}/firewall/rules`, [
    {
      action: 'block',
      filter: { expression: 'http.request.uri.query contains "x"' },
      description: 'first rule',
    },
  ]);
  const { result } = await askUntil(
    async () => {
      await site.visit(host, '/a?q=x');
      return site.call(`GET /zones/${zone}/security/events?where=source:eq:firewallrules`);
    },
    (answer) => answer.result.length > 0,
  );
  const page = await site.openSignedIn(`/zones/${zone}/activity?event=${result[0].id}`);
  const panel = page.getByRole('complementary');
  await panel.getByText('(in the argument q,').waitFor();
  await panel.getByText('block by Custom rules: second rule').waitFor();
  await site.inspect(page, 'activity-event-twice');
  await panel.getByRole('button', { name: 'Make an exception…' }).click();
  await panel.getByText('Another rule would still stop this request').waitFor();
  await panel.getByRole('button', { name: 'Save this exception' }).click();
  await panel.getByText('the request is now stopped by another rule').waitFor();
  // The filter that was created with the rule is replaced and deleted.
  const { result: filters } = await site.call(`GET /zones/${zone}/filters`);
  equal(filters.length, 1);
  match(filters[0].expression, /^\(http\.request\.uri\.query contains "x"\) and not \(/);
  site.checkConsole();
});

test('an exception is not saved over the change of someone else', async () => {
  const host = 'changed.example';
  const zone = await site.createZone(host, 'enterprise');
  const entryPoint = `PUT /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const rule = { ref: 'admin', action: 'block', expression: 'http.request.uri.path contains "/admin"' };
  await site.call(entryPoint, { rules: [rule] });
  await askUntil(
    () => site.visit(host, '/admin'),
    ({ status }) => status === 403,
  );
  const { result } = await askUntil(
    () => site.call(`GET /zones/${zone}/security/events`),
    (answer) => answer.result.length > 0,
  );
  const page = await site.openSignedIn(`/zones/${zone}/activity?event=${result[0].id}`);
  await page.getByRole('button', { name: 'Make an exception…' }).click();
  await page.getByText('nothing else').first().waitFor();
  const changed = { ...rule, expression: 'http.request.uri.path eq "/admin"' };
  await site.call(entryPoint, { rules: [changed] });
  await page.getByRole('button', { name: 'Save this exception' }).click();
  await page.getByText('Someone else has changed this rule').waitFor();
  const now = await site.call(`GET /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`);
  equal(now.result.rules[0].expression, changed.expression);
  site.checkConsole();
});
