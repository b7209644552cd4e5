/** A server whose pages are in each of their empty states, where they offer commands. */
import { equal } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { createForm } from '../wrangler/upload-site.ts';
import { DashboardSite } from './dashboard-site.ts';
import { MigrationZone } from './migration-zone.ts';
import { type Offer, readOffers } from './offers.ts';

type Ids = Readonly<Record<'account' | 'empty' | 'old' | 'tried' | 'attacked' | 'event', string>>;

export interface OfferingSite extends AsyncDisposable {
  readonly site: DashboardSite;
  readonly ids: Ids;
}

export async function openOfferingSite(): Promise<OfferingSite> {
  const flags = { 'workers-domain': 'workers.example', 'object-writes': 'true' };
  await using opened = new AsyncDisposableStack();
  const site = opened.use(await DashboardSite.open(flags));
  // Of the domain of Workers.
  await site.createZone('workers.example', 'free');
  const tried = await MigrationZone.create(site, 'tried.example', 'enterprise');
  await tried.send('waf_migration=validation&watch=true');
  const { id: attacked } = await ask(site, 'POST /zones', { name: 'attacked.example' });
  const ids = {
    account: site.program.ready.account_id,
    empty: await site.createZone('empty.example', 'enterprise'),
    old: (await MigrationZone.create(site, 'old.example', 'pro')).id,
    tried: tried.id,
    attacked,
    event: await attack(site, attacked),
  };
  const all = opened.move();
  return { site, ids, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function ask(site: DashboardSite, route: string, body?: unknown): Promise<any> {
  const { success, errors, result } = await site.call(route, body);
  equal(success, true, `${route}: ${JSON.stringify(errors)}`);
  return result;
}

/** Things without content: a list, a namespace, a bucket, and a Worker without secrets, routes and crons. */
async function createStores(site: DashboardSite): Promise<Readonly<Record<'list' | 'namespace', string>>> {
  const account = `/accounts/${site.program.ready.account_id}`;
  const list = await ask(site, `POST ${account}/rules/lists`, { name: 'partners', kind: 'ip' });
  const namespace = await ask(site, `POST ${account}/storage/kv/namespaces`, { title: 'kept' });
  await ask(site, `POST ${account}/r2/buckets`, { name: 'photos' });
  const response = await fetch(`${site.program.ready.api}${account}/workers/scripts/bare`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.token}` },
    body: createForm({ code: 'export default { fetch: () => new Response("ok") };' }),
  });
  equal(response.status, 200, await response.text());
  return { list: list.id, namespace: namespace.id };
}

/** The id of the event of an attack that a managed rule has stopped. */
async function attack(site: DashboardSite, zone: string): Promise<string> {
  await ask(site, `PUT /zones/${zone}/edge`, { origin: { url: site.originUrl } });
  const { status } = await ask(site, `POST /zones/${zone}/protection/test`, { kind: 'sql' });
  equal(status, 403);
  let events: readonly { readonly id: string }[] = [];
  await eventually(async () => {
    events = await ask(site, `GET /zones/${zone}/security/events?since=1h&limit=1`);
    return events.length > 0;
  });
  return events[0]!.id;
}

/**
 * The account has none of these states: it has a site, a token and a class. The responses to the page pretend that it
 * does.
 */
const absent: readonly (readonly [path: string, answered: RegExp])[] = [
  ['/', /\/zones(?:\?|$)/],
  ['/tokens', /\/user\/tokens(?:\?|$)/],
  ['/objects', /\/accounts\/\w+\/objects(?:\?|$)/],
  ['/objects?class=Zone', /\/accounts\/\w+\/objects\/Zone(?:\?|$)/],
  ['/zones/$attacked/managed-rules', /\/zones\/\w+\/rulesets(?:\?|$)/],
  ['/zones/$old/managed-rules', /\/zones\/\w+\/firewall\/waf\/packages(?:\?|$)/],
];

const ofAccount = ['/lists', '/workers', '/stores', '/notifications', '/tokens', '/objects?view=alarms'];

/** Below `/zones/$empty`. */
const ofZone = [
  ...['', '/activity', '/certificates', '/custom-rules', '/firewall-rules', '/firewall-rules?view=filters'],
  ...['/load-balancing', '/logpush', '/managed-rules', '/page-rules', '/rate-limits', '/security-tools'],
];

const ofThings = [
  ...['migrate', 'worker', 'look'].map((goal) => `/start?goal=${goal}`),
  ...['/lists/$list', '/workers/bare', '/stores/kv/$namespace', '/stores/r2/photos'],
  ...['/zones/$attacked/managed-rules', '/zones/$tried/managed-rules/update'],
  '/objects?class=Zone&object=$empty&view=values',
];

/** Every command once. */
export async function collectOffers({ site, ids }: OfferingSite): Promise<readonly Offer[]> {
  // A page mostly waits: for responses, and until it settles.
  const tabs = await Promise.all(['/', '/', '/'].map((path) => site.openSignedIn(path)));
  const page = tabs[0]!;
  const offers: Offer[] = [];
  const names: Record<string, string> = { ...ids };
  const goTo = (path: string, tab = page): Promise<unknown> =>
    tab.goto(`${site.url}${path.replaceAll(/\$([a-z]+)/g, (_, name: string) => names[name]!)}`);
  const visit = async (path: string, tab = page): Promise<readonly Offer[]> => {
    await goTo(path, tab);
    return await readOffers(tab);
  };
  const visitAll = async (paths: readonly string[]): Promise<void> => {
    const found: (readonly Offer[])[] = [];
    const waiting = [...paths.entries()];
    await Promise.all(
      tabs.map(async (tab) => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          found[next[0]] = await visit(next[1], tab);
      }),
    );
    offers.push(...found.flat());
  };
  await visitAll([...ofAccount, ...ofZone.map((part) => `/zones/$empty${part}`)]);
  Object.assign(names, await createStores(site));
  await visitAll(ofThings);
  for (const [path, answered] of absent) {
    await page.route(answered, answerEmpty);
    offers.push(...(await visit(path)));
    await page.unroute(answered);
  }
  await goTo('/start?goal=protect&zone=$attacked');
  await page.getByRole('button', { name: 'SQL injection' }).click();
  await page.getByText('The same from a terminal').waitFor();
  offers.push(...(await readOffers(page)));
  return [...new Map(offers.map((offer) => [`${offer.title} ${offer.command}`, offer])).values()];
}

const answerEmpty: Parameters<Page['route']>[1] = async (route) => {
  const answer = await (await route.fetch()).json();
  await route.fulfill({
    json: { ...answer, result: [], result_info: { count: 0, page: 1, total_count: 0, total_pages: 0 } },
  });
};
