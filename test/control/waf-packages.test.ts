import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';

const cloudflare = '1e334934fd7ae32ad705667f8c1057aa';
const owasp = 'c504870194831cd12c3fc0284f294abb';
const absent = '0'.repeat(32);

interface Group {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  readonly rules_count: number;
  readonly modified_rules_count: number;
}
interface Rule {
  readonly id: string;
  readonly description: string;
  readonly priority: string;
  readonly mode: string;
  readonly default_mode?: string;
  readonly group: { readonly id: string; readonly name: string };
  readonly allowed_modes: readonly string[];
}

let control: TestControl;
let packages: string;
beforeEach(async () => {
  control = await TestControl.open();
  packages = `/zones/${control.zone('pro')}/firewall/waf/packages`;
});
afterEach(() => control.close());

async function get(path: string): Promise<Envelope['result']> {
  const { status, result, errors } = await control.call(`GET ${packages}${path}`);
  equal(status, 200, JSON.stringify(errors));
  return result;
}

function patch(path: string, body: object): Promise<Envelope> {
  return control.call(`PATCH ${packages}${path}`, { body });
}

async function firstRule(packageId: string): Promise<Rule> {
  return (await get(`/${packageId}/rules`))[0];
}

test('wafPackages.list has the three packages with their shapes, and searches and sorts by name', async () => {
  const { result, result_info } = await control.call(`GET ${packages}?order=name`);
  deepEqual(
    result.map(({ name }: { name: string }) => name),
    ['CloudFlare', 'OWASP', 'USER'],
  );
  deepEqual(result_info, { page: 1, per_page: 50, count: 3, total_count: 3, total_pages: 1 });
  const [signatures, anomaly] = result;
  const common = ['id', 'name', 'description', 'zone_id', 'detection_mode'];
  deepEqual(Object.keys(signatures), common);
  deepEqual(Object.keys(anomaly), [...common, 'sensitivity', 'action_mode']);
  equal(signatures.id, cloudflare);
  equal(signatures.zone_id, control.zone('pro'));
  deepEqual(
    [anomaly.id, anomaly.detection_mode, anomaly.sensitivity, anomaly.action_mode],
    [owasp, 'anomaly', 'high', 'challenge'],
  );
  const names = async (query: string): Promise<string[]> =>
    (await get(query)).map(({ name }: { name: string }) => name);
  deepEqual(await names('?order=name&direction=desc'), ['USER', 'OWASP', 'CloudFlare']);
  deepEqual(await names('?name=owasp'), ['OWASP']);
  deepEqual(await names('?name=owasp&match=any'), ['OWASP']);
  deepEqual(await names('?name=other'), []);
  deepEqual(await names('?order=name&page=2&per_page=2'), ['USER']);
  deepEqual(await names('?page=3'), []);
});

test('wafPackages.edit changes the anomaly package, and what resets it leaves nothing behind', async () => {
  const changed = await patch(`/${owasp}`, { sensitivity: 'low', action_mode: 'simulate' });
  equal(changed.status, 200);
  deepEqual([changed.result.sensitivity, changed.result.action_mode], ['low', 'simulate']);
  deepEqual(await get(`/${owasp}`), changed.result);
  const { result: off } = await patch(`/${owasp}`, { sensitivity: 'off' });
  deepEqual([off.sensitivity, off.action_mode], ['off', 'simulate']);
  // The call that Terraform makes when the resource is deleted.
  const { result: reset } = await patch(`/${owasp}`, { sensitivity: 'high', action_mode: 'challenge' });
  deepEqual([reset.sensitivity, reset.action_mode], ['high', 'challenge']);
  deepEqual((await patch(`/${owasp}`, {})).result, reset);
});

test('wafPackages.edit refuses traditional packages, unknown ones and wrong values', async () => {
  const traditional = await patch(`/${cloudflare}`, { sensitivity: 'low' });
  equal(traditional.status, 400);
  deepEqual(traditional.errors, [
    { code: 1027, message: 'Only anomaly WAF packages can have their package attributes updated' },
  ]);
  const unknown = await patch(`/${absent}`, { sensitivity: 'low' });
  deepEqual([unknown.status, unknown.errors[0]!.code], [400, 1002]);
  const wrong = await patch(`/${owasp}`, { sensitivity: 'eoff' });
  deepEqual([wrong.status, wrong.errors[0]!.source], [400, { pointer: '/sensitivity' }]);
  equal((await patch(`/${owasp}`, { sensitivty: 'low' })).errors[0]!.source!.pointer, '/sensitivty');
});

test('what is not in the catalogue is 1002, 1003 and 1004, and not a 404', async () => {
  const { id: ruleOfOwasp } = await firstRule(owasp);
  const [groupOfOwasp] = await get(`/${owasp}/groups`);
  const cases = [
    [`/${absent}`, 1002],
    [`/${absent}/groups`, 1002],
    [`/${absent}/groups/${groupOfOwasp.id}`, 1002],
    [`/${absent}/rules`, 1002],
    [`/${absent}/rules/${ruleOfOwasp}`, 1002],
    [`/${cloudflare}/groups/${absent}`, 1003],
    [`/${cloudflare}/groups/${groupOfOwasp.id}`, 1003],
    [`/${cloudflare}/rules/ABSENT1`, 1004],
    // How Terraform finds the package of a rule: by asking each of them.
    [`/${cloudflare}/rules/${ruleOfOwasp}`, 1004],
  ] as const;
  for (const [path, code] of cases) {
    const { status, errors } = await control.call(`GET ${packages}${path}`);
    deepEqual([status, errors[0]!.code], [400, code], path);
  }
  equal((await patch(`/${cloudflare}/groups/${absent}`, { mode: 'off' })).errors[0]!.code, 1003);
  equal((await patch(`/${cloudflare}/rules/ABSENT1`, { mode: 'off' })).errors[0]!.code, 1004);
  equal((await control.call(`GET ${packages}/${cloudflare}/rules/a.b`)).errors[0]!.code, 7003);
});

test('wafGroups.list shows, searches and sorts the groups of a package', async () => {
  const groups: Group[] = await get(`/${cloudflare}/groups`);
  ok(groups.length > 1);
  deepEqual(Object.keys(groups[0]!), [
    'id',
    'name',
    'description',
    'mode',
    'package_id',
    'rules_count',
    'modified_rules_count',
    'allowed_modes',
  ]);
  const one = groups.at(-1)!;
  deepEqual(await get(`/${cloudflare}/groups/${one.id}`), one);
  deepEqual(await get(`/${cloudflare}/groups?name=${encodeURIComponent(one.name.toUpperCase())}`), [one]);
  const counts = (found: Group[]): number[] => found.map((group) => group.rules_count);
  const sorted = counts(groups).toSorted((a, b) => a - b);
  deepEqual(counts(await get(`/${cloudflare}/groups?order=rules_count`)), sorted);
  deepEqual(counts(await get(`/${cloudflare}/groups?order=rules_count&direction=desc`)), sorted.toReversed());
  const query = `rules_count=${one.rules_count}`;
  deepEqual(
    await get(`/${cloudflare}/groups?${query}`),
    groups.filter((group) => group.rules_count === one.rules_count),
  );
  const absentName = encodeURIComponent('no such name');
  deepEqual(await get(`/${cloudflare}/groups?${query}&name=${absentName}`), []);
  deepEqual(
    await get(`/${cloudflare}/groups?${query}&name=${absentName}&match=any`),
    groups.filter((group) => group.rules_count === one.rules_count),
  );
});

test('wafGroups.edit turns a group off and on, and refuses what changes nothing', async () => {
  const groups: Group[] = await get(`/${cloudflare}/groups?mode=on`);
  const path = `/${cloudflare}/groups/${groups[0]!.id}`;
  deepEqual((await patch(path, { mode: 'on' })).errors, [{ code: 1019, message: 'WAF Group is already on' }]);
  const off = await patch(path, { mode: 'off' });
  deepEqual([off.status, off.result.mode], [200, 'off']);
  deepEqual((await patch(path, { mode: 'off' })).errors, [
    { code: 1020, message: 'WAF Group is already off' },
  ]);
  deepEqual(await get(path), off.result);
  const isListed = async (mode: string): Promise<boolean> =>
    (await get(`/${cloudflare}/groups?mode=${mode}`)).some(({ id }: Group) => id === groups[0]!.id);
  deepEqual([await isListed('on'), await isListed('off')], [false, true]);
  const modes: Group[] = await get(`/${cloudflare}/groups?order=mode`);
  equal(modes[0]!.mode, 'off');
  equal((await patch(path, { mode: 'on' })).result.mode, 'on');
  deepEqual(await get(path), groups[0]);
  for (const body of [{}, { mode: 'default' }, { mode: true }]) {
    const { status, errors } = await patch(path, body);
    deepEqual([status, errors[0]!.code, errors[0]!.source], [400, 1018, { pointer: '/mode' }]);
  }
});

test('wafRules.list shows, searches and sorts the rules of a package, page by page', async () => {
  const listed = await control.call(`GET ${packages}/${cloudflare}/rules?per_page=100&order=priority`);
  const rules: Rule[] = listed.result;
  const total = listed.result_info!['total_count'] as number;
  ok(rules.length > 5);
  equal(rules.length, Math.min(total, 100));
  const numbers = rules.map(({ priority }) => Number(priority));
  deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  const [rule] = rules as [Rule];
  equal(typeof rule.priority, 'string');
  deepEqual(await get(`/${cloudflare}/rules/${rule.id}`), rule);

  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const found: Rule[] = await get(`/${cloudflare}/rules?per_page=5&page=${page}`);
    if (found.length === 0) break;
    for (const { id } of found) ids.add(id);
  }
  equal(ids.size, total);

  const inGroup: Rule[] = await get(`/${cloudflare}/rules?per_page=100&group_id=${rule.group.id}`);
  ok(inGroup.length > 0 && inGroup.every(({ group }) => group.id === rule.group.id));
  const words = encodeURIComponent(rule.description.slice(0, 12).toUpperCase());
  const described: Rule[] = await get(`/${cloudflare}/rules?description=${words}`);
  ok(described.some(({ id }) => id === rule.id));
  const first: Rule[] = await get(`/${cloudflare}/rules?priority=${rule.priority}`);
  ok(first.length > 0 && first.every(({ priority }) => priority === rule.priority));
  const texts: Rule[] = await get(`/${cloudflare}/rules?order=description&direction=desc`);
  ok(texts[0]!.description >= texts[1]!.description);
  deepEqual(await get(`/${cloudflare}/rules?group_id=${absent}&description=${words}`), []);
  deepEqual(await get(`/${cloudflare}/rules?group_id=${absent}&description=${words}&match=any`), described);
});

test('wafRules.edit of a deny rule takes each of its modes, and default puts the catalogue back', async () => {
  const rule = (await get(`/${cloudflare}/rules?per_page=100`)).find(
    (each: Rule) => each.default_mode !== undefined,
  ) as Rule;
  equal(rule.mode, 'default');
  deepEqual(rule.allowed_modes, ['default', 'disable', 'simulate', 'block', 'challenge']);
  const path = `/${cloudflare}/rules/${rule.id}`;
  const group = `/${cloudflare}/groups/${rule.group.id}`;
  const short = { disable: 'DIS', simulate: 'SIM', block: 'BLK', challenge: 'CHL' } as const;
  for (const [mode, query] of Object.entries(short)) {
    const edited = await patch(path, { mode });
    equal(edited.status, 200);
    deepEqual(edited.result, { ...rule, mode });
    deepEqual(await get(`/${cloudflare}/rules?mode=${query}`), [edited.result]);
    equal((await get(group)).modified_rules_count, 1);
    // Repeating the same request is not an error here.
    equal((await patch(path, { mode })).status, 200);
  }
  deepEqual((await patch(path, { mode: 'default' })).result, rule);
  equal((await get(group)).modified_rules_count, 0);
  for (const body of [{}, { mode: 'on' }, { mode: 1 }]) {
    const { status, errors } = await patch(path, body);
    deepEqual([status, errors[0]!.code, errors[0]!.source], [400, 1007, { pointer: '/mode' }]);
    match(errors[0]!.message, /^Invalid or missing WAF Rule mode: rule \w+ takes default, disable/);
  }
});

test('wafRules.edit of an anomaly rule turns it on and off, and refuses what changes nothing', async () => {
  const rule = await firstRule(owasp);
  deepEqual([rule.allowed_modes, rule.default_mode], [['on', 'off'], undefined]);
  const path = `/${owasp}/rules/${rule.id}`;
  if (rule.mode === 'off') equal((await patch(path, { mode: 'on' })).status, 200);
  deepEqual((await patch(path, { mode: 'on' })).errors, [
    { code: 1008, message: 'WAF Rule is already enabled' },
  ]);
  const off = await patch(path, { mode: 'off' });
  deepEqual([off.status, off.result.mode], [200, 'off']);
  deepEqual((await patch(path, { mode: 'off' })).errors, [
    { code: 1009, message: 'WAF Rule is already disabled' },
  ]);
  deepEqual(await get(path), off.result);
  ok((await get(`/${owasp}/rules?mode=DIS`)).some(({ id }: Rule) => id === rule.id));
  equal((await patch(path, { mode: 'block' })).errors[0]!.code, 1007);
  equal((await patch(path, { mode: 'on' })).status, 200);
});

test('modes belong to one zone', async () => {
  await patch(`/${owasp}`, { sensitivity: 'off' });
  const rule = (await get(`/${cloudflare}/rules?per_page=100`))[0] as Rule;
  await patch(`/${cloudflare}/rules/${rule.id}`, { mode: 'simulate' });
  packages = `/zones/${control.zone('business')}/firewall/waf/packages`;
  equal((await get(`/${owasp}`)).sensitivity, 'high');
  notEqual((await get(`/${cloudflare}/rules/${rule.id}`)).mode, 'simulate');
});

test('the Free plan has no packages: the list is empty and says why, everything else is refused', async () => {
  packages = `/zones/${control.zone('free')}/firewall/waf/packages`;
  const reason = /^WAF packages are not available: the Free plan .* needs the Pro plan or a larger one$/;
  const listed = await control.call(`GET ${packages}`);
  deepEqual([listed.status, listed.result], [200, []]);
  equal(listed.messages[0]!.code, 1102);
  match(listed.messages[0]!.message, reason);
  for (const route of [
    `GET ${packages}/${owasp}`,
    `PATCH ${packages}/${owasp}`,
    `GET ${packages}/${owasp}/groups`,
    `GET ${packages}/${owasp}/groups/${absent}`,
    `PATCH ${packages}/${owasp}/groups/${absent}`,
    `GET ${packages}/${owasp}/rules`,
    `GET ${packages}/${owasp}/rules/1`,
    `PATCH ${packages}/${owasp}/rules/1`,
  ]) {
    const { status, errors } = await control.call(route, route.startsWith('PATCH') ? { body: {} } : {});
    deepEqual([status, errors[0]!.code], [400, 1102], route);
    match(errors[0]!.message, reason);
  }
});
