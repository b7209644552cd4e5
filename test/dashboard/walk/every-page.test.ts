/**
 * Every page on a phone: nothing is wider than the screen, and each looks as accepted; the rest is `npm run verify --
 * pictures`.
 */
import './still-clock.ts';
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compareWithAccepted } from './accepted.ts';
import { listDialogTitles } from './titles.ts';
import { openSampleSite } from './sample-site.ts';
import { stops } from './stops.ts';
import { type Seen, Walker } from './walker.ts';

const width = 390;

test('every route has a stop', () => {
  const router = readFileSync(new URL('../../../src/browser/page/router.tsx', import.meta.url), 'utf8');
  const routes = [...router.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path]) => path!);
  const last = (path: string): string => path.replace(/\?.*/, '').split('/').at(-1)!.replace(/^\$.*/, '$');
  const seen = new Set(stops.map(({ path }) => last(path)));
  deepEqual(
    routes.filter((path) => !seen.has(last(path))),
    [],
  );
});

test('every dialog has a stop', () => {
  const shown = stops.flatMap(({ dialog, path }) => (dialog === undefined ? [] : [{ dialog, path }]));
  const folderOf = (path: string): string => {
    const [, area = '', , part = 'overview'] = path.replace(/\?.*/, '').split('/');
    if (path.endsWith('/managed-rules/update')) return 'migration';
    return area === 'zones' ? part : area === '' ? 'zones' : area;
  };
  // Pages with the parts of other resources, or with a name that is not the resource's.
  const foldersOf: Readonly<Record<string, readonly string[]>> = {
    activity: ['events'],
    'custom-rules': ['rulesets'],
    'managed-rules': ['managed-rules', 'learning'],
    'security-tools': ['security-tools', 'access-rules', 'lockdowns', 'user-agent-rules'],
  };
  // The rules of both kinds are shown by the same parts.
  const isOf = (file: string, path: string): boolean => {
    const folder = folderOf(path);
    const [top, found = ''] = file.split('/');
    return top !== 'pages' || found === 'rules' || (foldersOf[folder] ?? [folder]).includes(found);
  };
  deepEqual(
    listDialogTitles()
      .filter(
        ({ file, pattern }) => !shown.some(({ dialog, path }) => pattern.test(dialog) && isOf(file, path)),
      )
      .map(({ file, text }) => `${file}: ${text}`),
    [],
  );
});

test('every page fits on a phone and looks as it was accepted', async () => {
  await using sample = await openSampleSite({ hasOwnFonts: true });
  const walker = await Walker.open(sample, width);
  const quick = stops.filter(({ isQuick }) => isQuick === true);
  const seen: Seen[] = [];
  let isIn = false;
  for (const stop of quick.toSorted((a, b) => Number(b.isOutside ?? false) - Number(a.isOutside ?? false))) {
    if (!isIn && stop.isOutside !== true) await walker.signIn();
    isIn = stop.isOutside !== true;
    await walker.goTo(stop);
    const looked = await walker.look(stop, 'light');
    if (stop.varies !== true) seen.push(looked);
    await walker.checkWidth(stop);
  }
  sample.site.checkConsole();
  deepEqual(compareWithAccepted(seen), [], 'look at them, then: npm run verify -- pictures --accept');
});
