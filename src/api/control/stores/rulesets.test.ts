import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rulesetVersionsBytesMax, rulesetVersionsMax } from '../context/limits.ts';
import { Shelves } from '../operations/rulesets/testing.ts';

let shelves: Shelves;
before(async () => {
  shelves = await Shelves.open();
});
after(() => shelves.close());

test('RulesetStore keeps the newest versions of a ruleset, up to the limit', async () => {
  const shelf = shelves.get('many');
  await shelf.putVersions(rulesetVersionsMax + 5, 1);
  const versions = await shelf.versions();
  deepEqual(
    [versions.length, versions[0], versions.at(-1)],
    [rulesetVersionsMax, '6', String(rulesetVersionsMax + 5)],
  );
});

test('RulesetStore keeps as many large versions as there is room for, and always the current one', async () => {
  const large = shelves.get('large');
  await large.putVersions(10, rulesetVersionsBytesMax / 4);
  deepEqual(await large.versions(), ['7', '8', '9', '10']);
  const huge = shelves.get('huge');
  await huge.putVersions(3, rulesetVersionsBytesMax + 1);
  deepEqual(await huge.versions(), ['3']);
  equal(await huge.current(), '3');
});

test('RulesetStore has at most one entry point per phase', async () => {
  const shelf = shelves.get('one');
  await shelf.put([{}, { id: 'b', kind: 'custom' }]);
  await rejects(async () => shelf.put([{ id: 'c' }]), /UNIQUE/);
});
