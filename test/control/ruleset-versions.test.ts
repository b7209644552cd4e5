import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rulesetCodes } from '#contract';
import { TestControl } from './harness.ts';

const phases = '/rulesets/phases';
const custom = 'http_request_firewall_custom';
const block = { action: 'block', expression: 'ip.src eq 192.0.2.1' };

let control: TestControl;
let zone: string;
before(async () => {
  control = await TestControl.open();
  zone = `/zones/${control.zone('enterprise')}`;
});
after(() => control.close());

interface Made {
  /** Of the ruleset, by its id. */
  readonly path: string;
  readonly entryPoint: string;
  /** Whole, the first first. */
  readonly versions: readonly { version: string; rules: { id: string; ref: string }[] }[];
}

/** An entry point with a version for each list of rules. */
async function createVersions(phase: string, lists: readonly (readonly object[])[]): Promise<Made> {
  const entryPoint = `${zone}${phases}/${phase}/entrypoint`;
  const versions = [];
  for (const rules of lists) {
    const { status, result, errors } = await control.call(`PUT ${entryPoint}`, { body: { rules } });
    equal(status, 200, JSON.stringify(errors));
    versions.push(result);
  }
  return { path: `${zone}/rulesets/${versions[0].id}`, entryPoint, versions };
}

test('rulesets.listVersions and getVersion show every version, by ruleset and by entry point', async () => {
  const a = { ...block, ref: 'a' };
  const { path, entryPoint, versions } = await createVersions(custom, [[a], [a, block], []]);
  for (const base of [path, entryPoint]) {
    const { result } = await control.call(`GET ${base}/versions`);
    deepEqual(
      result.map(({ version }: { version: string }) => version),
      ['1', '2', '3'],
    );
    ok(result.every((version: object) => !('rules' in version)));
    for (const whole of versions) {
      deepEqual((await control.call(`GET ${base}/versions/${whole.version}`)).result, whole);
    }
    const { status, errors } = await control.call(`GET ${base}/versions/4`);
    deepEqual([status, errors[0]?.code], [404, 20933]);
    equal((await control.call(`GET ${base}/versions/01`)).errors[0]?.code, 7003);
  }
});

test('versions of an entry point that is not there are an empty list, one of them is a 404', async () => {
  const base = `${zone}${phases}/http_request_sbfm/entrypoint/versions`;
  const list = await control.call(`GET ${base}`);
  deepEqual([list.status, list.result], [200, []]);
  const one = await control.call(`GET ${base}/1`);
  deepEqual([one.status, one.errors[0]?.code], [404, 10003]);
});

test('rulesets.deleteVersion forgets a version for good, but never the current one', async () => {
  const { path } = await createVersions('http_request_dynamic_redirect', [[], [], []]);
  equal((await control.call(`DELETE ${path}/versions/2`)).status, 204);
  equal((await control.call(`GET ${path}/versions/2`)).status, 404);
  equal((await control.call(`DELETE ${path}/versions/2`)).status, 404);
  const refused = await control.call(`DELETE ${path}/versions/3`);
  deepEqual([refused.status, refused.errors[0]?.code], [400, 20937]);
  equal((await control.call(`PUT ${path}`, { body: { rules: [] } })).result.version, '4');
});

test('rulesets.diffVersions tells what two versions do not have in common', async () => {
  const a = { ...block, ref: 'a' };
  const b = { ...block, ref: 'b' };
  const { path, versions } = await createVersions('http_request_cloud_connector', [
    [a, b],
    [b, a],
    [{ ...a, enabled: false }],
  ]);
  const [idA, idB] = versions[0]!.rules.map(({ id }) => id);
  const moved = await control.call(`GET ${path}/versions/1/diff?to=2`);
  equal(moved.status, 200);
  const nothing = { fields: [], added: [], removed: [], changed: [] };
  equal(moved.result.moved.length, 1);
  deepEqual({ ...moved.result, moved: [] }, { from: '1', to: '2', ...nothing, moved: [] });
  const changed = (await control.call(`GET ${path}/versions/1/diff`)).result;
  deepEqual([changed.from, changed.to], ['1', '3']);
  deepEqual(changed.changed, [{ id: idA, fields: [{ field: 'enabled', before: true, after: false }] }]);
  deepEqual(changed.removed, [versions[0]!.rules[1]]);
  const back = (await control.call(`GET ${path}/versions/3/diff?to=1`)).result;
  deepEqual(
    back.added.map(({ id }: { id: string }) => id),
    [idB],
  );
  for (const to of ['9', 'x', '1e0']) {
    equal((await control.call(`GET ${path}/versions/1/diff?to=${to}`)).errors[0]?.code, 20933, to);
  }
});

test('rulesets.restoreVersion makes the next version say what an earlier one said, with the ids it had', async () => {
  const a = { ...block, ref: 'a' };
  const { path, versions } = await createVersions('http_request_snippets', [
    [a, block],
    [a],
    [{ ...block, ref: 'b' }],
  ]);
  const [first, , third] = versions;
  const { status, result, messages } = await control.call(`POST ${path}/versions/1/restore`);
  equal(status, 200);
  equal(result.version, '4');
  const said = ({ id, ref }: { id: string; ref: string }): string[] => [id, ref];
  deepEqual(result.rules.map(said), first!.rules.map(said));
  equal((await control.call(`GET ${path}/versions/1/diff`)).result.changed.length, 0);
  const vanish = messages.find(({ code }) => code === rulesetCodes.rulesVanish.code)!;
  match(vanish.message, new RegExp(third!.rules[0]!.id));
  deepEqual((await control.call(`GET ${path}/versions`)).result.length, 4);
});

test('rulesets.restoreVersion checks the version as if it were sent', async () => {
  const account = `/accounts/${control.control.directory.accountId}`;
  const listed = await control.call(`POST ${account}/rules/lists`, { body: { name: 'gone', kind: 'ip' } });
  equal(listed.status, 200, JSON.stringify(listed.errors));
  const { path } = await createVersions('http_request_select_configuration', [
    [{ ...block, expression: 'ip.src in $gone' }],
    [],
  ]);
  equal((await control.call(`DELETE ${account}/rules/lists/${listed.result.id}`)).status, 200);
  const refused = await control.call(`POST ${path}/versions/1/restore`);
  deepEqual(
    [refused.status, refused.errors[0]?.code, refused.errors[0]?.source?.pointer],
    [400, 20127, '/rules/0/expression'],
  );
  equal((await control.call(`GET ${path}/versions`)).result.length, 2);
});

test('rulesets and their versions survive a restart', async () => {
  let own = await TestControl.open();
  try {
    const entryPoint = `/zones/${own.zone('pro')}${phases}/${custom}/entrypoint`;
    const first = (await own.call(`PUT ${entryPoint}`, { body: { rules: [block] } })).result;
    const second = (await own.call(`PUT ${entryPoint}`, { body: { rules: [] } })).result;
    own = await own.restart();
    deepEqual((await own.call(`GET ${entryPoint}`)).result, second);
    deepEqual((await own.call(`GET ${entryPoint}/versions/1`)).result, first);
    const restored = await own.call(`POST /zones/${own.zone('pro')}/rulesets/${first.id}/versions/1/restore`);
    equal(restored.result.rules[0].id, first.rules[0].id);
  } finally {
    await own.close();
  }
});
